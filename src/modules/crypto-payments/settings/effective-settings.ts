import { AUTH_TYPES, isSecret, type GatewayAuth } from "../../../gateway"
import type { CryptoSettings, OrderPlacement, SettingsProblem, SettingValues } from "../../../http-contract"
import { fieldsOfType, toGatewayAuth } from "./authentication"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"
import { authName, headersAmong, headerSecretName } from "./names"
import { DEFAULTS } from "./options-schema"
import { originOf, type Registration, type Secret, type StoredSettings } from "./stored-settings"

/** Everything one provider needs, resolved. `secretKeys` newest first. Times in milliseconds. */
export interface ProviderSettings {
  providerId: string
  baseUrl: string
  secretKeys: [string, ...string[]]
  auth: GatewayAuth
  successUrl: string
  failedUrl: string
  orderPlacement: OrderPlacement
  unpaidOrderTtlMinutes: number | undefined
  timeoutMs: number
  paymentLinkHosts: readonly string[] | undefined
  reuseOpenLinks: boolean
}

/** Settings of a registered provider, or the names of the settings that still have to be given. */
export type SettingsResolution =
  | { configured: true; settings: ProviderSettings }
  | {
      configured: false
      missing: string[]
      /** Why something given cannot be used, in a sentence. */
      problem: string | null
    }

/** One secret: what of it may be known, and its values for those who need them. */
export interface EffectiveSecret {
  /** What medusa-config gives is locked. */
  source: "config" | "stored" | null
  /** Newest first; only those that open, and may be sent to the address in force. Never shown to anybody. */
  values: string[]
  problem: SettingsProblem | null
  isOptional: boolean
}

/** Opens a secret by its name; undefined when no key does, null when it was sealed for something else. */
export type SecretReader = (secret: Secret, name: string) => string | undefined | null

/** Reads the secrets of a provider and the address they were given for. */
export function secretReader(
  keys: EncryptionKeys,
  providerId: string,
  { bound_base_url }: Pick<StoredSettings, "bound_base_url">
): SecretReader {
  const origin = originOf(bound_base_url)
  return (secret, field) =>
    typeof secret === "string" ? keys.open(secret, { providerId, field, origin }) : secret.given
}

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings {
  registration: Registration
  stored: StoredSettings
  fields: CryptoSettings["fields"]
  /** Those of the authentication in force, and the secret key. */
  secrets: Map<string, EffectiveSecret>
  problem: SettingsProblem | null
  /** The gateway account that new rows belong to. */
  account: string
  /** Whose the requests are that were made at another origin: what was said for the address in force. */
  formerOrigins: StoredSettings["former_origins"]
  resolution: SettingsResolution
}

/** Why something given is not used, the gravest first. */
const PROBLEMS: Record<SettingsProblem, string> = {
  unreadable: `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`,
  address_changed:
    "The gateway address in the database is not the one that the saved secrets were sealed for: somebody changed it outside the admin. The secrets are not sent to it. Save the right address and give the secrets again.",
  address_not_allowed:
    "medusa-config gives secrets and not the gateway address. They are not sent to an address that was typed into the admin. Give baseUrl in medusa-config, or its origin in allowedOrigins.",
  elsewhere:
    "The secrets were given for another gateway address and are not sent to this one. Give them again.",
}

/** A problem in a sentence. */
export function describeProblem(problem: SettingsProblem | null): string | null {
  return problem && PROBLEMS[problem]
}

/** Resolves one provider. Pure: the same input gives the same settings. */
export function resolveEffective(
  registration: Registration,
  stored: StoredSettings,
  read: SecretReader
): EffectiveSettings {
  const fields = readFields(registration, stored)
  const mayUseConfigured =
    fields.base_url.value === null || mayGetConfigured(registration, fields.base_url.value)
  const secrets = readSecrets(registration, stored, { fields, mayUseConfigured, read })
  const type = fields.auth_type.value
  const isRefused = type === "function" && !mayUseConfigured
  const problems = new Set([...secrets.values()].map((secret) => secret.problem))
  if (isRefused) {
    problems.add("address_not_allowed")
  }
  const problem = (Object.keys(PROBLEMS) as SettingsProblem[]).find((code) => problems.has(code)) ?? null
  // A later release may have saved a type that this one does not know.
  const isUsable = type === "function" ? !isRefused : Object.hasOwn(AUTH_TYPES, type)
  const required = ["base_url", "success_url", "failed_url", ...(type === "basic" ? ["auth_username"] : [])]
  const missing = [
    ...required.filter((name) => fields[name as keyof SettingValues].value === null),
    ...(isUsable ? [] : ["auth_type"]),
    ...[...secrets].flatMap(([name, { values, isOptional }]) =>
      values.length === 0 && !isOptional ? [name] : []
    ),
  ]
  return {
    ...{ registration, stored, fields, secrets, problem },
    account: stored.gateway_account ?? registration.account ?? registration.providerId,
    formerOrigins:
      originOf(stored.bound_base_url) === originOf(fields.base_url.value) ? stored.former_origins : {},
    resolution:
      missing.length > 0
        ? { configured: false, missing, problem: describeProblem(problem) }
        : { configured: true, settings: toProviderSettings({ registration, fields, secrets }) },
  }
}

/**
 * Whether an address may be sent what medusa-config gives as a secret: only one that medusa-config gives or allows, so
 * that whoever may change settings, or the database, cannot send it elsewhere.
 */
export function mayGetConfigured({ values, allowedOrigins }: Registration, address: string): boolean {
  return [originOf(values.base_url ?? null), ...allowedOrigins].includes(originOf(address))
}

/** The authentication with the values in force. Call it when nothing of it is missing. */
export function authInForce({
  registration,
  fields,
  secrets,
}: Pick<EffectiveSettings, "registration" | "fields" | "secrets">): GatewayAuth {
  const valueOf = (name: string): string | undefined => secrets.get(name)?.values[0]
  return registration.authenticate ?? toGatewayAuth(fields, [...secrets.keys()], valueOf)
}

function readFields({ values }: Registration, { options }: StoredSettings): EffectiveSettings["fields"] {
  const fields = Object.entries(DEFAULTS).map(([key, preset]: [string, unknown]) => {
    const name = key as keyof SettingValues
    const source = values[name] !== undefined ? "config" : options[name] !== undefined ? "stored" : "default"
    const locked = source === "config" || name === "public_url"
    return [name, { value: values[name] ?? options[name] ?? preset, source, locked }]
  })
  return Object.fromEntries(fields) as EffectiveSettings["fields"]
}

interface InForce {
  fields: EffectiveSettings["fields"]
  mayUseConfigured: boolean
  read: SecretReader
}

function readSecrets(
  registration: Registration,
  stored: StoredSettings,
  { fields: { base_url: address, auth_type: type }, mayUseConfigured, read }: InForce
): EffectiveSettings["secrets"] {
  const bound = stored.bound_base_url
  // A saved address always comes with a bound one; without it, somebody else wrote it.
  const isElsewhere =
    address.value !== null && (bound === null ? !address.locked : originOf(bound) !== originOf(address.value))
  const readSecret = (name: string, isOptional = false): [string, EffectiveSecret] => {
    const configured = registration.secrets[name] ?? []
    if (configured.length > 0) {
      const [problem, values] = mayUseConfigured ? [null, configured] : ["address_not_allowed" as const, []]
      return [name, { source: "config", values, problem, isOptional }]
    }
    const saved = stored.secrets[name] ?? []
    const opened = saved.map((secret) => read(secret, name))
    const values = opened.filter((value) => typeof value === "string")
    const problem = opened.includes(undefined)
      ? "unreadable"
      : opened.includes(null)
        ? "address_changed"
        : isElsewhere && values.length > 0
          ? "elsewhere"
          : null
    const source = saved.length > 0 ? "stored" : null
    return [name, { source, values: isElsewhere ? [] : values, problem, isOptional }]
  }
  const headers = headersAmong(Object.keys(type.locked ? registration.secrets : stored.secrets))
  const ofType = fieldsOfType(type.value).flatMap(([option, kind]) => {
    if (kind === "secret_headers") {
      return headers.map((header) => readSecret(headerSecretName(header)))
    }
    return isSecret(kind) ? [readSecret(authName(option, kind), kind === "optional_secret")] : []
  })
  return new Map([readSecret("secret_key"), ...ofType])
}

function toProviderSettings({
  registration,
  fields,
  secrets,
}: Pick<EffectiveSettings, "registration" | "fields" | "secrets">): ProviderSettings {
  return {
    providerId: registration.providerId,
    baseUrl: fields.base_url.value ?? "",
    secretKeys: secrets.get("secret_key")?.values as ProviderSettings["secretKeys"],
    auth: authInForce({ registration, fields, secrets }),
    successUrl: fields.success_url.value ?? "",
    failedUrl: fields.failed_url.value ?? "",
    orderPlacement: fields.order_placement.value,
    unpaidOrderTtlMinutes: fields.unpaid_order_ttl_minutes.value ?? undefined,
    timeoutMs: fields.timeout_ms.value,
    paymentLinkHosts: fields.payment_link_hosts.value ?? undefined,
    reuseOpenLinks: fields.reuse_open_links.value,
  }
}
