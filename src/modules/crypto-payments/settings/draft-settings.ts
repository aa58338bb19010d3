import { mayGetConfigured, originOf, type EffectiveSettings, type StoredSettings } from "./effective-settings"
import type { EncryptionKeys, Secret } from "./encryption-keys"
import { headerOfSecret, readAuth, type GivenSecrets } from "./names"
import { DEFAULTS, type SettingValues } from "./options-schema"
import { refusal, type SettingsInput } from "./settings-form"

/**
 * Applies a form to the settings in force. Secrets never go to an origin they were not given for.
 *
 * @returns the settings as they would be saved, with decrypted secrets: never store or show them; the gateway origin
 *   that they replace; and whether the form gives a secret
 * @throws Refused
 */
export function draftSettings(
  effective: EffectiveSettings,
  form: SettingsInput
): { stored: StoredSettings; leaves: string | null; givesSecret: boolean } {
  const { registration, fields, stored } = effective
  const { auth, secret_key, former_secret_keys, ...plain } = form
  const signIn = readAuth(auth)
  const isSameType = auth === undefined || auth?.type === fields.auth_type.value
  const values: Record<string, unknown> = { ...plain, ...signIn.values }
  const given: GivenSecrets = { secret_key, ...signIn.secrets }
  const configured = [...effective.secrets].flatMap(([name, { source }]) =>
    source === "config" ? [name] : []
  )
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
  // Former keys belong to the replaced origin.
  const keepFormer = leaves !== null && secret_key ? undefined : former_secret_keys
  const isInCode = registration.authenticate !== undefined
  const drafted = Object.keys({ ...(auth === undefined ? stored.secrets : {}), ...given }).flatMap((name) => {
    // A secret of medusa-config cannot be given here, and a saved one must not follow to another origin.
    const isConfigured = configured.includes(name) || (isInCode && name !== "secret_key")
    // Such as a part of an authentication that medusa-config has replaced: nobody could give it again.
    const isUnused = !effective.secrets.has(name) && given[name] === undefined
    const isDropped = leaves !== null && (isConfigured || isUnused)
    const saved = !isDropped && (isSameType || name === "secret_key") ? (stored.secrets[name] ?? []) : []
    const secrets = draftSecret(given[name], saved, name === "secret_key" ? keepFormer : undefined)
    // A header exists as soon as it is named; without a value it is missing.
    const isNamed = headerOfSecret(name) !== undefined && given[name] !== null && !isDropped
    return secrets.length > 0 || isNamed ? [[name, secrets] as const] : []
  })
  const secrets = Object.fromEntries(drafted)
  const unsent = [...(isInCode ? ["auth"] : []), ...configured]
  if (form.base_url && unsent.length > 0 && !mayGetConfigured(registration, address)) {
    const message = `medusa-config gives ${unsent.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${originOf(address) ?? ""} there in allowedOrigins.`
    throw refusal("origin_not_allowed", message, ["base_url"])
  }
  const kept = drafted.flatMap(([name, { length }]) => (length > (given[name] ? 1 : 0) ? [name] : []))
  // Secrets that were saved without an address were given for none, so the first address requires them again.
  if (kept.length > 0 && (leaves !== null || (bound === null && form.base_url))) {
    const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${kept.sort().join(", ")}.`
    throw refusal("secrets_required", message, kept)
  }
  return {
    stored: { ...stored, options, secrets, bound_base_url: address ?? bound },
    leaves,
    givesSecret: Object.values(given).some(Boolean),
  }
}

/** medusa-config's settings are not changed here. A header that it does not name cannot be added either. */
function refuseLocked(
  { fields, secrets }: EffectiveSettings,
  values: Record<string, unknown>,
  given: GivenSecrets
): void {
  const isOther = (name: string, value: unknown): boolean => {
    const field = fields[name as keyof SettingValues]
    const next = value ?? DEFAULTS[name as keyof SettingValues]
    return field.locked && JSON.stringify(next) !== JSON.stringify(field.value)
  }
  const isUnknownHeader = (name: string): boolean =>
    fields.auth_type.locked && headerOfSecret(name) !== undefined && !secrets.has(name)
  const locked = [
    ...Object.keys(values).filter((name) => isOther(name, values[name])),
    ...Object.keys(given).filter(
      (name) =>
        isUnknownHeader(name) ||
        (given[name] !== undefined && given[name] !== "" && secrets.get(name)?.source === "config")
    ),
  ]
  if (locked.length > 0) {
    const message = `medusa-config gives ${locked.join(", ")}. Change it there.`
    throw refusal("locked", message, locked)
  }
}

/** The secrets of one name, newest first. Blank keeps the saved one, null removes it. */
function draftSecret(given: GivenSecrets[string], saved: Secret[], former?: "keep" | "drop"): Secret[] {
  if (given === null) {
    return []
  }
  if (given) {
    return [given, ...(former === "keep" ? saved : [])]
  }
  return former === "drop" ? saved.slice(0, 1) : saved
}

/** Encrypts what was given, and all kept secrets again, with the current key and address: so a save rotates the key. */
export function sealAll(
  keys: EncryptionKeys,
  providerId: string,
  { secrets, bound_base_url }: StoredSettings,
  discardUnreadable: boolean
): Record<string, string[]> {
  const origin = originOf(bound_base_url)
  const seal = (secret: Secret, field: string): string[] => {
    if (typeof secret === "string") {
      return [keys.seal(secret, { providerId, field, origin })]
    }
    return discardUnreadable ? [] : [secret.sealed]
  }
  return Object.fromEntries(
    Object.entries(secrets).map(([field, all]) => [field, all.flatMap((secret) => seal(secret, field))])
  )
}
