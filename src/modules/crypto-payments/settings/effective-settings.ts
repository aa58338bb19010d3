import { configuredSecret, readAuthFields, toGatewayAuth, type AuthFields } from "./auth-fields"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"
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
  /** Sealed for another gateway address than the one in the database, or changed there: not used. */
  isMoved: boolean
  /** Given for another gateway address than the one in force: not used. */
  isElsewhere: boolean
  isOptional: boolean
}

/** Opens a sealed text of a field; undefined when no key does, null when it was sealed for something else. */
export type SecretReader = (text: string, field: string) => string | undefined | null

/** Reads what is sealed for a provider and the address its secrets were given for. */
export function secretReader(keys: EncryptionKeys, providerId: string, stored: StoredSettings): SecretReader {
  const origin = originOf(stored.bound_base_url)
  return (text, field) =>
    keys.open(text, { providerId, field, origin }) ?? (keys.hasKeyOf(text) ? null : undefined)
}

/** Why something given is not used. */
export type SettingsProblem = "unreadable" | "address_changed" | "address_not_allowed" | "elsewhere"

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings {
  registration: Registration
  stored: StoredSettings
  fields: Record<PlainField, EffectiveField>
  auth: AuthFields
  secrets: Map<string, EffectiveSecret>
  /** Why something given is not used, in a sentence, and by its name. */
  problem: string | null
  problemCode: SettingsProblem | null
  /** Whether the secrets of medusa-config may be sent to the address in force. */
  mayUseConfigured: boolean
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
  const bound = stored.bound_base_url
  // A saved address always comes with a bound one; without it, somebody else wrote it.
  const isElsewhere =
    baseUrl !== null && (bound === null ? !fields.base_url.locked : originOf(bound) !== originOf(baseUrl))
  const mayUseConfigured = baseUrl === null || mayGetConfigured(registration, baseUrl)
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
        values: fromConfig ? configured : opened.filter((value) => typeof value === "string"),
        isUnreadable: !fromConfig && opened.includes(undefined),
        isMoved: !fromConfig && opened.includes(null),
        isElsewhere: fromConfig ? !mayUseConfigured : isElsewhere,
        isOptional,
      }
      return [name, secret]
    })
  )
  const problemCode = findProblem(auth, [...secrets.values()], mayUseConfigured)
  const problem = problemCode === null ? null : PROBLEMS[problemCode]
  return {
    registration,
    stored,
    fields,
    auth,
    secrets,
    problem,
    problemCode,
    mayUseConfigured,
    resolution: resolve(registration, { fields, auth, secrets, problem, mayUseConfigured }),
  }
}

/**
 * Whether an address may be sent what medusa-config gives as a secret: only one that medusa-config gives or allows, so
 * that whoever may change settings, or the database, cannot send it elsewhere.
 */
export function mayGetConfigured({ options }: Registration, address: string): boolean {
  const allowed = [originOf(options.baseUrl ?? null), ...options.allowedOrigins]
  return allowed.includes(originOf(address))
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
  {
    fields,
    auth,
    secrets,
    problem,
    mayUseConfigured,
  }: Pick<EffectiveSettings, "fields" | "auth" | "secrets" | "problem" | "mayUseConfigured">
): SettingsResolution {
  const [currentKey, ...formerKeys] = usable(secrets.get("secret_key"))
  const baseUrl = fields.base_url.value as string | null
  const successUrl = fields.success_url.value as string | null
  const failedUrl = fields.failed_url.value as string | null
  const missing = [
    ...(baseUrl === null ? ["baseUrl"] : []),
    ...(currentKey === undefined ? ["secretKey"] : []),
    ...(auth.type === "function" && !mayUseConfigured ? ["auth"] : []),
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
    return { configured: false, missing, problem }
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

const PROBLEMS: Record<SettingsProblem, string> = {
  unreadable: `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`,
  address_changed:
    "The gateway address in the database is not the one that the saved secrets were sealed for: somebody changed it outside the admin. The secrets are not sent to it. Save the right address and give the secrets again.",
  address_not_allowed:
    "medusa-config gives secrets and not the gateway address. They are not sent to an address that was typed into the admin. Give baseUrl in medusa-config, or its origin in allowedOrigins.",
  elsewhere:
    "The secrets were given for another gateway address and are not sent to this one. Give them again.",
}

function findProblem(
  auth: AuthFields,
  secrets: EffectiveSecret[],
  mayUseConfigured: boolean
): SettingsProblem | null {
  const isConfigured = auth.type === "function" || secrets.some(({ source }) => source === "config")
  if (secrets.some(({ isUnreadable }) => isUnreadable)) {
    return "unreadable"
  }
  if (secrets.some(({ isMoved }) => isMoved)) {
    return "address_changed"
  }
  if (isConfigured && !mayUseConfigured) {
    return "address_not_allowed"
  }
  return secrets.some(({ isElsewhere, values }) => isElsewhere && values.length > 0) ? "elsewhere" : null
}

/** A secret's name as medusa-config has it: `auth.api_key` is `auth.apiKey` there. */
function toOptionName(name: string): string {
  return name.startsWith("auth.headers.")
    ? name
    : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
