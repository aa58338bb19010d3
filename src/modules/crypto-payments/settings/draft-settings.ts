import type { EncryptionKeyState, SettingsInput, SettingValues } from "../../../http-contract"
import { readAuth } from "./authentication"
import { mayGetConfigured, type EffectiveSettings, type SecretReader } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { headerOfSecret } from "./names"
import { DEFAULTS } from "./options-schema"
import { originOf, type Secret, type StoredSettings } from "./stored-settings"

type Secrets = Record<string, Secret[]>

/** Settings as they would be saved, with secrets just given still open: never to be kept or shown. */
export interface SettingsDraft {
  stored: StoredSettings
  /** The gateway origin that the draft leaves for another one. */
  leaves: string | null
}

/** Why settings are not saved or tested, for the form. `fields` names what it is about. */
export type Refusal =
  | {
      code: "locked" | "invalid" | "secrets_required" | "origin_not_allowed"
      message: string
      fields: string[]
    }
  | { code: "encryption_key"; message: string; state: EncryptionKeyState["state"] }
  | { code: "stale_version"; message: string; version: number }
  | { code: "origin_change_unconfirmed"; message: string; open_requests: number; former_origin: string }

/** Settings are not saved or tested. Nothing was written. */
export class SettingsRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

/**
 * Lays a form over what is in force. Pure; secrets never go to an origin they were not given for.
 *
 * @throws SettingsRefused
 */
export function draftSettings(effective: EffectiveSettings, form: SettingsInput): SettingsDraft {
  const { fields, stored } = effective
  const { auth, secret_key, former_secret_keys: _, ...plain } = form
  const signIn = auth === undefined ? undefined : auth === null ? NO_AUTH : readAuth(auth)
  const isSameType = auth === undefined || auth?.type === fields.auth_type.value
  const given = { ...plain, ...signIn?.values }
  refuseLocked(effective, given, { secret_key, ...signIn?.secrets })
  const kept = Object.entries({ ...stored.options, ...given }).filter(
    ([name, value]) =>
      value !== null && (isSameType || !name.startsWith("auth_") || Object.hasOwn(given, name))
  )
  const options: StoredSettings["options"] = Object.fromEntries(kept)
  const address = fields.base_url.locked ? fields.base_url.value : (options.base_url ?? null)
  const bound = stored.bound_base_url
  const leaves =
    bound !== null && address !== null && originOf(bound) !== originOf(address) ? originOf(bound) : null
  const ofAuth = Object.entries(stored.secrets).filter(([name]) => name !== "secret_key")
  const secrets: Secrets = {
    ...(signIn === undefined
      ? Object.fromEntries(ofAuth)
      : draftAuthSecrets(signIn.secrets, isSameType ? stored.secrets : {})),
    // Former keys belong to the origin that is left.
    ...named(
      "secret_key",
      draftSecretKeys(leaves !== null && secret_key ? [] : stored.secrets["secret_key"], form)
    ),
  }
  if (leaves !== null) {
    dropUnusable(effective, secrets)
  }
  refuseAddress(effective, form, address)
  // Secrets that were saved without an address were given for none, so the first one that is typed asks for them too.
  if (leaves !== null || (bound === null && form.base_url)) {
    requireSecrets(secrets)
  }
  // What was of the account in use may not be of the next one; what was of another is over.
  const former_origins = Object.fromEntries(
    Object.entries(stored.former_origins).filter(
      ([, whose]) => leaves === null || whose === "another_account"
    )
  )
  return { stored: { ...stored, options, secrets, bound_base_url: address ?? bound, former_origins }, leaves }
}

/** Null removes what is stored. */
const NO_AUTH = { values: { auth_type: null }, secrets: {} }

/** What medusa-config gives is not changed here. A header that it does not name is no choice either. */
function refuseLocked(
  { fields, secrets }: EffectiveSettings,
  values: Record<string, unknown>,
  given: Record<string, string | null | undefined>
): void {
  const isOther = (name: string, value: unknown): boolean => {
    const field = fields[name as keyof SettingValues]
    const next = value ?? DEFAULTS[name as keyof SettingValues]
    return field.locked && JSON.stringify(next) !== JSON.stringify(field.value)
  }
  const locked = [
    ...Object.entries(values).filter(([name, value]) => isOther(name, value)),
    ...Object.entries(given).filter(([name, value]) =>
      fields.auth_type.locked && headerOfSecret(name) !== undefined && !secrets.has(name)
        ? true
        : value !== undefined && value !== "" && secrets.get(name)?.source === "config"
    ),
  ].map(([name]) => name)
  if (locked.length > 0) {
    const message = `medusa-config gives ${locked.join(", ")}. Change it there.`
    throw new SettingsRefused({ code: "locked", fields: locked, message })
  }
}

/** What medusa-config gives as a secret goes to no address that was typed here, unless medusa-config allows it. */
function refuseAddress(
  { registration, secrets }: EffectiveSettings,
  { base_url: typed }: SettingsInput,
  address: string | null
): void {
  const configured = [
    ...(registration.authenticate === undefined ? [] : ["auth"]),
    ...[...secrets].filter(([, { source }]) => source === "config").map(([name]) => name),
  ]
  if (typed && address !== null && configured.length > 0 && !mayGetConfigured(registration, address)) {
    throw new SettingsRefused({
      code: "origin_not_allowed",
      fields: ["base_url"],
      message: `medusa-config gives ${configured.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${originOf(address) ?? ""} there in allowedOrigins.`,
    })
  }
}

/**
 * What medusa-config gives in place of a saved secret cannot be given again here, and must not follow to the new
 * origin.
 */
function dropUnusable({ registration, secrets }: EffectiveSettings, saved: Secrets): void {
  for (const name of Object.keys(saved)) {
    const isInCode = registration.authenticate !== undefined && name !== "secret_key"
    if (isInCode || secrets.get(name)?.source === "config") {
      Reflect.deleteProperty(saved, name)
    }
  }
}

/** Every saved secret that would go to another origin has to be given again. */
function requireSecrets(secrets: Secrets): void {
  const fields = Object.keys(secrets).filter((name) =>
    secrets[name]?.some((secret) => typeof secret === "string")
  )
  if (fields.length > 0) {
    const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${fields.join(", ")}.`
    throw new SettingsRefused({ code: "secrets_required", fields, message })
  }
}

function draftAuthSecrets(given: ReturnType<typeof readAuth>["secrets"], stored: Secrets): Secrets {
  const drafted = Object.entries(given).map(([name, value]) => {
    const secrets = value ? [{ given: value }] : value === null ? [] : (stored[name] ?? [])
    // A header is there as soon as it is named; without a value it is missing.
    return headerOfSecret(name) !== undefined && value !== null ? { [name]: secrets } : named(name, secrets)
  })
  return Object.assign({}, ...drafted) as Secrets
}

function draftSecretKeys(saved: Secret[] = [], { secret_key, former_secret_keys }: SettingsInput): Secret[] {
  if (secret_key === null) {
    return []
  }
  if (secret_key === undefined || secret_key === "") {
    return former_secret_keys === "drop" ? saved.slice(0, 1) : saved
  }
  return [{ given: secret_key }, ...(former_secret_keys === "keep" ? saved : [])]
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
  { read, discardUnreadable }: { read: SecretReader; discardUnreadable: boolean }
): Record<string, string[]> {
  const origin = originOf(stored.bound_base_url)
  const seal = (secret: Secret, field: string): string[] => {
    const opened = read(secret, field)
    if (typeof opened === "string") {
      return [keys.seal(opened, { providerId, field, origin })]
    }
    return typeof secret === "string" && !discardUnreadable ? [secret] : []
  }
  return Object.fromEntries(
    Object.entries(stored.secrets).map(([field, secrets]) => [
      field,
      secrets.flatMap((secret) => seal(secret, field)),
    ])
  )
}
