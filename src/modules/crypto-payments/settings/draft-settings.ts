import { mayGetConfigured, type EffectiveSettings } from "./effective-settings"
import type { AuthInput, SecretInput, SettingsInput, SettingsRefusal } from "./settings-input"
import {
  originOf,
  PLAIN_FIELDS,
  type PlainField,
  type StoredPlain,
  type StoredSettings,
} from "./stored-settings"

/** Marks a secret of a draft that is not sealed yet; a sealed one begins with its version. */
const GIVEN = "given:"

/** Settings as they would be saved, with secrets just given still open: never to be kept or shown. */
export interface SettingsDraft {
  stored: StoredSettings
  /** Set when the draft leaves one gateway origin for another. */
  leaves: { origin: string; baseUrl: string } | null
}

/** The secret of a draft that was just given; undefined for a sealed one. */
export function givenSecret(text: string): string | undefined {
  return text.startsWith(GIVEN) ? text.slice(GIVEN.length) : undefined
}

/** Lays a form over what is in force. Pure; secrets never go to an origin they were not given for. */
export function draftSettings(
  effective: EffectiveSettings,
  input: SettingsInput
): { draft: SettingsDraft } | { refusal: SettingsRefusal } {
  const locked = findLocked(effective, input)
  if (locked.length > 0) {
    return {
      refusal: {
        code: "locked",
        fields: locked,
        message: `medusa-config gives ${locked.join(", ")}. Change it there.`,
      },
    }
  }
  const plain: StoredPlain = {}
  for (const field of Object.keys(PLAIN_FIELDS) as PlainField[]) {
    const value = input[field] === undefined ? effective.stored.plain[field] : input[field]
    if (value !== undefined && value !== null) {
      Object.assign(plain, { [field]: value })
    }
  }
  const auth = draftAuth(effective, input.auth)
  const secrets = {
    ...auth.secrets,
    ...named("secret_key", draftSecretKeys(effective.stored.secrets["secret_key"] ?? [], input)),
  }
  const { base_url } = effective.fields
  const baseUrl = base_url.locked ? (base_url.value as string) : (plain.base_url ?? null)
  const bound = effective.stored.bound_base_url
  const stored: StoredSettings = {
    ...effective.stored,
    plain: { ...plain, ...auth.plain },
    secrets,
    bound_base_url: baseUrl ?? bound,
  }
  const leaves =
    bound !== null && baseUrl !== null && originOf(bound) !== originOf(baseUrl)
      ? { origin: originOf(bound) ?? "", baseUrl: bound }
      : null
  if (leaves !== null && input.secret_key) {
    // Former keys belong to the origin that is left, whose connection keeps them.
    stored.secrets["secret_key"] = draftSecretKeys([], input)
  }
  if (leaves !== null) {
    dropUnusable(effective, stored.secrets)
  }
  const refusal =
    refuseAddress(effective, input, baseUrl) ?? (leaves === null ? undefined : requireSecrets(stored.secrets))
  return refusal === undefined ? { draft: { stored, leaves } } : { refusal }
}

/** What medusa-config gives as a secret goes to no address that was typed here, unless medusa-config allows it. */
function refuseAddress(
  { registration, auth, secrets }: EffectiveSettings,
  { base_url }: SettingsInput,
  baseUrl: string | null
): SettingsRefusal | undefined {
  const configured = [
    ...(auth.type === "function" ? ["auth"] : []),
    ...[...secrets].filter(([, { source }]) => source === "config").map(([name]) => name),
  ]
  if (!base_url || baseUrl === null || configured.length === 0 || mayGetConfigured(registration, baseUrl)) {
    return undefined
  }
  return {
    code: "origin_not_allowed",
    fields: ["base_url"],
    message: `medusa-config gives ${configured.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${originOf(baseUrl) ?? ""} there in allowedOrigins.`,
  }
}

/** What medusa-config gives in place of a saved secret cannot be given again here, and must not follow to the new origin. */
function dropUnusable({ auth, secrets }: EffectiveSettings, saved: StoredSettings["secrets"]): void {
  for (const name of Object.keys(saved)) {
    if (secrets.get(name)?.locked === true || (auth.type === "function" && name !== "secret_key")) {
      Reflect.deleteProperty(saved, name)
    }
  }
}

/** Every saved secret that would go to another origin has to be given again. */
function requireSecrets(secrets: StoredSettings["secrets"]): SettingsRefusal | undefined {
  const kept = Object.entries(secrets).filter(([, texts]) =>
    texts.some((text) => givenSecret(text) === undefined)
  )
  const fields = kept.map(([name]) => name)
  if (fields.length === 0) {
    return undefined
  }
  const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${fields.join(", ")}.`
  return { code: "secrets_required", fields, message }
}

function findLocked(effective: EffectiveSettings, input: SettingsInput): string[] {
  const { registration, fields, secrets } = effective
  const plain = (Object.keys(PLAIN_FIELDS) as PlainField[]).filter(
    (field) => fields[field].locked && input[field] !== undefined
  )
  const isLocked = ([name, value]: [string, SecretInput]): boolean =>
    secrets.get(name)?.locked === true && value !== undefined && value !== ""
  const named: [string, SecretInput][] = [
    ["secret_key", input.secret_key],
    ...secretInputs(input.auth ?? undefined),
  ]
  const givesAuth = registration.given.has("auth")
  const otherType =
    givesAuth && input.auth !== undefined && (input.auth?.type ?? "none") !== effective.auth.type
      ? ["auth.type"]
      : []
  const otherHeaders = givesAuth
    ? Object.keys(input.auth?.headers ?? {})
        .map((header) => `auth.headers.${header}`)
        .filter((name) => !secrets.has(name))
    : []
  const username =
    registration.options.auth instanceof Function || registration.options.auth.type !== "basic"
      ? []
      : givesAuth && registration.options.auth.username !== undefined && Boolean(input.auth?.username)
        ? ["auth_username"]
        : []
  return [
    ...plain,
    ...named.filter(isLocked).map(([name]) => name),
    ...otherType,
    ...otherHeaders,
    ...username,
  ]
}

/** The secrets of a form's authentication under the names they are stored by. */
function secretInputs(auth: AuthInput | undefined): [string, SecretInput][] {
  switch (auth?.type) {
    case "bearer":
      return [["auth.token", auth.token]]
    case "basic":
      return [["auth.password", auth.password]]
    case "signature":
      return [
        ["auth.api_key", auth.api_key],
        ["auth.secret_key", auth.secret_key],
      ]
    case "headers":
      return Object.entries(auth.headers ?? {}).map(([header, value]) => [`auth.headers.${header}`, value])
    default:
      return []
  }
}

function draftAuth(
  { stored, auth: current }: EffectiveSettings,
  auth: AuthInput | null | undefined
): Pick<StoredSettings, "secrets"> & { plain: StoredPlain } {
  const { auth_type, auth_username, auth_header_names } = stored.plain
  const kept = Object.fromEntries(Object.entries(stored.secrets).filter(([name]) => name.startsWith("auth.")))
  if (auth === undefined) {
    return { secrets: kept, plain: withoutUndefined({ auth_type, auth_username, auth_header_names }) }
  }
  if (auth === null) {
    return { secrets: {}, plain: {} }
  }
  const isSameType = auth.type === current.type
  const secrets: StoredSettings["secrets"] = {}
  for (const [name, value] of secretInputs(auth)) {
    const texts = value ? [`${GIVEN}${value}`] : value === null || !isSameType ? [] : (kept[name] ?? [])
    // A header is there as soon as it is named; without a value it is missing.
    Object.assign(secrets, auth.type === "headers" && value !== null ? { [name]: texts } : named(name, texts))
  }
  return {
    secrets,
    plain: withoutUndefined({
      auth_type: auth.type,
      auth_username:
        auth.type === "basic" ? (auth.username ?? (isSameType ? auth_username : undefined)) : undefined,
      auth_header_names:
        auth.type === "signature"
          ? (auth.header_names ?? (isSameType ? auth_header_names : undefined))
          : undefined,
    }),
  }
}

function draftSecretKeys(stored: string[], { secret_key, former_secret_keys }: SettingsInput): string[] {
  if (secret_key === null) {
    return []
  }
  if (secret_key === undefined || secret_key === "") {
    return former_secret_keys === "drop" ? stored.slice(0, 1) : stored
  }
  return [`${GIVEN}${secret_key}`, ...(former_secret_keys === "keep" ? stored : [])]
}

function named(name: string, texts: string[]): Record<string, string[]> {
  return texts.length === 0 ? {} : { [name]: texts }
}

function withoutUndefined(fields: {
  [Field in keyof StoredPlain]: StoredPlain[Field] | undefined
}): StoredPlain {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
