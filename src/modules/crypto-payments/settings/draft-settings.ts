import type { SettingsInput, SettingValues } from "../../../http-contract"
import { Refused } from "../errors"
import { readAuth } from "./authentication"
import { mayGetConfigured, originOf, type EffectiveSettings, type SecretReader } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { headerOfSecret } from "./names"
import { DEFAULTS } from "./options-schema"
import type { Secret, StoredSettings } from "./settings-store"

/** What a form gives as secrets, by name. */
type Given = Record<string, string | null | undefined>

/** Settings as they would be saved, with secrets just given still open: never to be kept or shown. */
export interface SettingsDraft {
  stored: StoredSettings
  /** The gateway origin that the draft leaves for another one. */
  leaves: string | null
}

/** Why settings are not saved or tested, for the form. @param fields the names of what it is about */
export function refusal(
  code: "locked" | "invalid" | "secrets_required" | "origin_not_allowed",
  message: string,
  fields: string[]
): Refused {
  return new Refused(400, { code, message, fields })
}

/**
 * Lays a form over what is in force. Pure; secrets never go to an origin they were not given for.
 *
 * @throws Refused
 */
export function draftSettings(effective: EffectiveSettings, form: SettingsInput): SettingsDraft {
  const { fields, stored } = effective
  const { auth, secret_key, former_secret_keys, ...plain } = form
  const signIn = auth === undefined ? undefined : auth === null ? NO_AUTH : readAuth(auth)
  const isSameType = auth === undefined || auth?.type === fields.auth_type.value
  const values: Record<string, unknown> = { ...plain, ...signIn?.values }
  const given: Given = { secret_key, ...signIn?.secrets }
  refuseLocked(effective, values, given)
  const options: StoredSettings["options"] = Object.fromEntries(
    Object.entries({ ...stored.options, ...values }).filter(
      ([name, value]) =>
        value !== null && (isSameType || !name.startsWith("auth_") || Object.hasOwn(values, name))
    )
  )
  const address = fields.base_url.locked ? fields.base_url.value : (options.base_url ?? null)
  const bound = stored.bound_base_url
  const leaves =
    bound !== null && address !== null && originOf(bound) !== originOf(address) ? originOf(bound) : null
  // Former keys belong to the origin that is left.
  const keepFormer = leaves !== null && secret_key ? undefined : former_secret_keys
  const drafted = Object.keys({ ...(signIn === undefined ? stored.secrets : {}), ...given }).flatMap(
    (name) => {
      const isDropped = leaves !== null && isConfigured(effective, name)
      const saved = !isDropped && (isSameType || name === "secret_key") ? (stored.secrets[name] ?? []) : []
      const secrets = draftSecret(given[name], saved, name === "secret_key" ? keepFormer : undefined)
      // A header is there as soon as it is named; without a value it is missing.
      const isNamed = headerOfSecret(name) !== undefined && given[name] !== null && !isDropped
      return secrets.length > 0 || isNamed ? [[name, secrets] as const] : []
    }
  )
  const secrets = Object.fromEntries(drafted)
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
  given: Given
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
    throw refusal("locked", message, locked)
  }
}

/**
 * Whether medusa-config gives it in place of a saved secret, which then cannot be given again here, and must not follow
 * to another origin.
 */
function isConfigured({ registration, secrets }: EffectiveSettings, name: string): boolean {
  const isInCode = registration.authenticate !== undefined && name !== "secret_key"
  return isInCode || secrets.get(name)?.source === "config"
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
    const message = `medusa-config gives ${configured.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${originOf(address) ?? ""} there in allowedOrigins.`
    throw refusal("origin_not_allowed", message, ["base_url"])
  }
}

/** Every saved secret that would go to another origin has to be given again. */
function requireSecrets(secrets: Record<string, Secret[]>): void {
  const isSaved = (secret: Secret): boolean => typeof secret === "string"
  const fields = Object.keys(secrets).filter((name) => secrets[name]?.some(isSaved))
  if (fields.length > 0) {
    const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${fields.sort().join(", ")}.`
    throw refusal("secrets_required", message, fields)
  }
}

/** The secrets of one name, newest first. Blank keeps what is saved, null removes it. */
function draftSecret(
  given: string | null | undefined,
  saved: Secret[],
  former: SettingsInput["former_secret_keys"]
): Secret[] {
  if (given === null) {
    return []
  }
  if (given) {
    return [{ given }, ...(former === "keep" ? saved : [])]
  }
  return former === "drop" ? saved.slice(0, 1) : saved
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
  { secrets, bound_base_url }: StoredSettings,
  { read, discardUnreadable }: { read: SecretReader; discardUnreadable: boolean }
): Record<string, string[]> {
  const origin = originOf(bound_base_url)
  const seal = (secret: Secret, field: string): string[] => {
    const opened = read(secret, field)
    if (typeof opened === "string") {
      return [keys.seal(opened, { providerId, field, origin })]
    }
    return typeof secret === "string" && !discardUnreadable ? [secret] : []
  }
  return Object.fromEntries(
    Object.entries(secrets).map(([field, all]) => [field, all.flatMap((secret) => seal(secret, field))])
  )
}
