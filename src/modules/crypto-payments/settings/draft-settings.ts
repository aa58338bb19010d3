import { mayGetConfigured, type EffectiveSettings, type SecretReader } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { headerOfSecret, toFieldName } from "./names"
import type { AuthInput, SettingsInput, SettingsRefusal } from "./settings-input"
import {
  originOf,
  SAVED_OPTIONS,
  type SavedAuth,
  type SavedOptions,
  type SealedSecret,
  type Secret,
  type StoredSettings,
} from "./stored-settings"

type Secrets = Record<string, Secret[]>

/** Settings as they would be saved, with secrets just given still open: never to be kept or shown. */
export interface SettingsDraft {
  stored: StoredSettings<Secret>
  /** The gateway origin that the draft leaves for another one. */
  leaves: string | null
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
  const options: SavedOptions = {}
  for (const option of SAVED_OPTIONS) {
    const value = input[option] === undefined ? effective.stored.options[option] : input[option]
    if (value !== undefined && value !== null) {
      Object.assign(options, { [option]: value })
    }
  }
  const { auth, secrets: authSecrets } = draftAuth(effective, input.auth)
  const secrets: Secrets = {
    ...authSecrets,
    ...named("secret_key", draftSecretKeys(effective.stored.secrets["secret_key"] ?? [], input)),
  }
  const { baseUrl: address } = effective.fields
  const baseUrl = address.locked ? address.value : (options.baseUrl ?? null)
  const bound = effective.stored.bound_base_url
  const leaves =
    bound !== null && baseUrl !== null && originOf(bound) !== originOf(baseUrl) ? originOf(bound) : null
  if (leaves !== null && input.secretKey) {
    // Former keys belong to the origin that is left.
    secrets["secret_key"] = draftSecretKeys([], input)
  }
  if (leaves !== null) {
    dropUnusable(effective, secrets)
  }
  // Secrets that were saved without an address were given for none, so the first one that is typed asks for them too.
  const isFirst = bound === null && Boolean(input.baseUrl)
  const refusal =
    refuseAddress(effective, input, baseUrl) ??
    (leaves !== null || isFirst ? requireSecrets(secrets) : undefined)
  if (refusal !== undefined) {
    return { refusal }
  }
  const stored = {
    ...effective.stored,
    options: { ...options, ...(auth === undefined ? {} : { auth }) },
    secrets,
    bound_base_url: baseUrl ?? bound,
    // What was of the account in use may not be of the next one; what was of another is over.
    former_origins: Object.fromEntries(
      Object.entries(effective.stored.former_origins).filter(
        ([, owner]) => leaves === null || owner === "another_account"
      )
    ),
  }
  return { draft: { stored, leaves } }
}

/** What medusa-config gives as a secret goes to no address that was typed here, unless medusa-config allows it. */
function refuseAddress(
  { registration, auth, secrets }: EffectiveSettings,
  { baseUrl: typed }: SettingsInput,
  baseUrl: string | null
): SettingsRefusal | undefined {
  const configured = [
    ...(auth.type === "function" ? ["auth"] : []),
    ...[...secrets].filter(([, { source }]) => source === "config").map(([name]) => name),
  ]
  if (!typed || baseUrl === null || configured.length === 0 || mayGetConfigured(registration, baseUrl)) {
    return undefined
  }
  return {
    code: "origin_not_allowed",
    fields: ["base_url"],
    message: `medusa-config gives ${configured.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${originOf(baseUrl) ?? ""} there in allowedOrigins.`,
  }
}

/**
 * What medusa-config gives in place of a saved secret cannot be given again here, and must not follow to the new
 * origin.
 */
function dropUnusable({ auth, secrets }: EffectiveSettings, saved: Secrets): void {
  for (const name of Object.keys(saved)) {
    if (secrets.get(name)?.locked === true || (auth.type === "function" && name !== "secret_key")) {
      Reflect.deleteProperty(saved, name)
    }
  }
}

/** Every saved secret that would go to another origin has to be given again. */
function requireSecrets(secrets: Secrets): SettingsRefusal | undefined {
  const kept = Object.entries(secrets).filter(([, saved]) => saved.some((secret) => "sealed" in secret))
  const fields = kept.map(([name]) => name)
  if (fields.length === 0) {
    return undefined
  }
  const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${fields.join(", ")}.`
  return { code: "secrets_required", fields, message }
}

function findLocked(effective: EffectiveSettings, { auth, ...input }: SettingsInput): string[] {
  const { registration, fields } = effective
  const locked = SAVED_OPTIONS.filter((option) => fields[option].locked && input[option] !== undefined)
  const given = Object.entries({ secret_key: input.secretKey, ...auth?.secrets })
  return [
    ...locked.map(toFieldName),
    ...given
      .filter(([name, value]) => value !== undefined && value !== "" && isLocked(effective, name))
      .map(([name]) => name),
    ...(auth === undefined || !registration.given.has("auth") ? [] : findLockedAuth(effective, auth)),
  ]
}

const isLocked = ({ secrets }: EffectiveSettings, name: string): boolean => secrets.get(name)?.locked === true

/** Of an authentication that medusa-config gives, the type and the headers are no choice, and what it says is not. */
function findLockedAuth({ auth: current, secrets }: EffectiveSettings, auth: AuthInput | null): string[] {
  const otherHeaders = Object.keys(auth?.secrets ?? {}).filter(
    (name) => headerOfSecret(name) !== undefined && !secrets.has(name)
  )
  const plain = Object.keys(current.configured).filter((option) => auth?.[option as keyof SavedAuth])
  return [
    ...((auth?.type ?? "none") === current.type ? [] : ["auth.type"]),
    ...otherHeaders,
    ...plain.map((option) => `auth_${toFieldName(option)}`),
  ]
}

/** What of the authentication would be saved. */
function draftAuth(
  { stored, auth: current }: EffectiveSettings,
  input: AuthInput | null | undefined
): { auth?: SavedAuth | undefined; secrets: Secrets } {
  const kept = Object.fromEntries(Object.entries(stored.secrets).filter(([name]) => name.startsWith("auth.")))
  if (input === undefined) {
    return { auth: stored.options.auth, secrets: kept }
  }
  if (input === null) {
    return { secrets: {} }
  }
  const { secrets: given, type, ...plain } = input
  const isSameType = type === current.type
  const secrets: Secrets = {}
  for (const [name, value] of Object.entries(given)) {
    const saved = value ? [{ given: value }] : value === null || !isSameType ? [] : (kept[name] ?? [])
    // A header is there as soon as it is named; without a value it is missing.
    const isNamed = headerOfSecret(name) !== undefined && value !== null
    Object.assign(secrets, isNamed ? { [name]: saved } : named(name, saved))
  }
  const before = stored.options.auth?.type === type ? stored.options.auth : {}
  return { auth: { ...before, type, ...plain }, secrets }
}

function draftSecretKeys(saved: Secret[], { secretKey, formerSecretKeys }: SettingsInput): Secret[] {
  if (secretKey === null) {
    return []
  }
  if (secretKey === undefined || secretKey === "") {
    return formerSecretKeys === "drop" ? saved.slice(0, 1) : saved
  }
  return [{ given: secretKey }, ...(formerSecretKeys === "keep" ? saved : [])]
}

function named(name: string, secrets: Secret[]): Secrets {
  return secrets.length === 0 ? {} : { [name]: secrets }
}

/**
 * Seals what was given, and seals again what can still be opened, with the current key and for the address that is now
 * in force: so a save rotates. What is kept of another address was refused before.
 *
 * @param read opens what was sealed for the address in force until now
 */
export function sealAll(
  keys: EncryptionKeys,
  providerId: string,
  { stored }: SettingsDraft,
  { read, discardUnreadable }: { read: SecretReader; discardUnreadable: boolean | undefined }
): StoredSettings["secrets"] {
  const origin = originOf(stored.bound_base_url)
  const seal = (secret: Secret, field: string): SealedSecret[] => {
    const opened = read(secret, field)
    if (typeof opened === "string") {
      return [{ sealed: keys.seal(opened, { providerId, field, origin }) }]
    }
    return "given" in secret || discardUnreadable === true ? [] : [secret]
  }
  return Object.fromEntries(
    Object.entries(stored.secrets).map(([field, secrets]) => [
      field,
      secrets.flatMap((secret) => seal(secret, field)),
    ])
  )
}
