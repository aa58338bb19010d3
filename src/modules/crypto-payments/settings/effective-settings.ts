import { configuredSecret, readAuthFields, toGatewayAuth, type AuthFields } from "./auth-fields"
import { ENCRYPTION_KEY_VARIABLE } from "./encryption-keys"
import type { SettingsResolution } from "./provider-settings"
import {
  NOTHING_STORED,
  originOf,
  PLAIN_FIELDS,
  type PlainField,
  type Registration,
  type StoredPlain,
  type StoredSettings,
} from "./stored-settings"

/** One setting in force and where it comes from; what medusa-config gives is locked. */
export interface EffectiveField {
  value: unknown
  source: "config" | "stored" | "default"
  locked: boolean
}

/** One secret: what of it may be known, and its values for those who need them. */
export interface EffectiveSecret {
  source: "config" | "stored" | null
  locked: boolean
  /** Newest first; empty when there is none that opens. Never shown to anybody. */
  values: string[]
  /** Stored, and no key opens it. */
  isUnreadable: boolean
  /** Given for another gateway address than the one in force: not used. */
  isElsewhere: boolean
  isOptional: boolean
}

/** Opens a sealed text of a field; undefined when no key does. */
export type SecretReader = (text: string, field: string) => string | undefined

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings {
  registration: Registration
  stored: StoredSettings
  fields: Record<PlainField, EffectiveField>
  auth: AuthFields
  secrets: Map<string, EffectiveSecret>
  /** Why something saved is not used, in a sentence. */
  problem: string | null
  resolution: SettingsResolution
}

/** Resolves one provider. Pure: the same input gives the same settings. */
export function resolveEffective(
  registration: Registration,
  stored: StoredSettings = NOTHING_STORED,
  read: SecretReader = () => undefined
): EffectiveSettings {
  const { options, given } = registration
  const fields = readFields(registration, stored.plain)
  const auth = readAuthFields(options.auth, given.has("auth"), stored)
  const baseUrl = fields.base_url.value as string | null
  const isElsewhere =
    stored.bound_base_url !== null &&
    baseUrl !== null &&
    originOf(stored.bound_base_url) !== originOf(baseUrl)
  const secrets = new Map(
    [{ name: "secret_key", isOptional: false }, ...auth.secrets].map(({ name, isOptional }) => {
      const configured =
        name === "secret_key"
          ? [options.secretKey ?? []].flat()
          : [configuredSecret(options.auth, name) ?? []].flat()
      const sealed = stored.secrets[name] ?? []
      const opened = sealed.map((text) => read(text, name))
      const fromConfig = configured.length > 0
      const secret: EffectiveSecret = {
        source: fromConfig ? "config" : sealed.length > 0 ? "stored" : null,
        locked: fromConfig,
        values: fromConfig ? configured : opened.filter((value) => value !== undefined),
        isUnreadable: !fromConfig && opened.includes(undefined),
        // What medusa-config gives belongs to the address it gives, or to the one that was saved with it in force.
        isElsewhere: isElsewhere && !(fromConfig && fields.base_url.locked),
        isOptional,
      }
      return [name, secret]
    })
  )
  return {
    registration,
    stored,
    fields,
    auth,
    secrets,
    problem: describeProblem([...secrets.values()]),
    resolution: resolve(registration, fields, auth, secrets, isElsewhere && !fields.base_url.locked),
  }
}

function readFields(
  { options, given }: Registration,
  plain: StoredPlain
): Record<PlainField, EffectiveField> {
  return Object.fromEntries(
    Object.entries(PLAIN_FIELDS).map(([field, option]) => {
      const saved = plain[field as PlainField]
      const locked = given.has(option)
      const effective: EffectiveField = {
        value: (locked ? options[option] : (saved ?? options[option])) ?? null,
        source: locked ? "config" : saved === undefined ? "default" : "stored",
        locked,
      }
      return [field, effective]
    })
  ) as Record<PlainField, EffectiveField>
}

function resolve(
  { providerId, options }: Registration,
  fields: Record<PlainField, EffectiveField>,
  auth: AuthFields,
  secrets: Map<string, EffectiveSecret>,
  isAuthElsewhere: boolean
): SettingsResolution {
  const [currentKey, ...formerKeys] = usable(secrets.get("secret_key"))
  const baseUrl = fields.base_url.value as string | null
  const successUrl = fields.success_url.value as string | null
  const failedUrl = fields.failed_url.value as string | null
  const missing = [
    ...(baseUrl === null ? ["baseUrl"] : []),
    ...(currentKey === undefined ? ["secretKey"] : []),
    ...(auth.type === "function" && isAuthElsewhere ? ["auth"] : []),
    ...(auth.type === "basic" && auth.username === null ? ["auth.username"] : []),
    ...auth.secrets
      .filter(({ name, isOptional }) => !isOptional && usable(secrets.get(name)).length === 0)
      .map(({ name }) => toOptionName(name)),
    ...(successUrl === null ? ["successUrl"] : []),
    ...(failedUrl === null ? ["failedUrl"] : []),
  ]
  if (
    missing.length > 0 ||
    baseUrl === null ||
    currentKey === undefined ||
    successUrl === null ||
    failedUrl === null
  ) {
    return { configured: false, missing, problem: describeProblem([...secrets.values()]) }
  }
  return {
    configured: true,
    settings: {
      providerId,
      baseUrl,
      secretKeys: [currentKey, ...formerKeys],
      auth:
        typeof options.auth === "function"
          ? options.auth
          : toGatewayAuth(auth, (name) => usable(secrets.get(name))[0]),
      successUrl,
      failedUrl,
      orderPlacement: fields.order_placement.value as typeof options.orderPlacement,
      unpaidOrderTtlMinutes: (fields.unpaid_order_ttl_minutes.value as number | null) ?? undefined,
      timeoutMs: fields.timeout_ms.value as number,
      paymentLinkHosts: (fields.payment_link_hosts.value as string[] | null) ?? undefined,
      reuseOpenLinks: fields.reuse_open_links.value as boolean,
      publicUrl: options.publicUrl,
    },
  }
}

/** A secret's values, if they may be used with the gateway address in force. */
function usable(secret: EffectiveSecret | undefined): string[] {
  return secret === undefined || secret.isElsewhere ? [] : secret.values
}

function describeProblem(secrets: EffectiveSecret[]): string | null {
  if (secrets.some(({ isUnreadable }) => isUnreadable)) {
    return `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`
  }
  return secrets.some(({ isElsewhere, values }) => isElsewhere && values.length > 0)
    ? "The secrets were given for another gateway address and are not sent to this one. Give them again."
    : null
}

/** A secret's name as medusa-config has it: `auth.api_key` is `auth.apiKey` there. */
function toOptionName(name: string): string {
  return name.startsWith("auth.headers.")
    ? name
    : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
