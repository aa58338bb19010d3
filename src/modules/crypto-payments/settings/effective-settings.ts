import { AUTH_TYPES, isSecret, type AuthFieldKind, type GatewayAuth } from "../../../gateway"
import type { CryptoSettings, SettingsProblem, SettingValues } from "../../../http-contract"
import { fieldsOfType } from "./authentication"
import { ENCRYPTION_KEY_VARIABLE } from "./encryption-keys"
import { authName, headersAmong, headerSecretName, renamed, toOptionName } from "./names"
import { DEFAULTS } from "./options-schema"
import type { Registration } from "./registrations"
import type { Secret, StoredSettings } from "./settings-store"

/** Without these no provider works. */
const REQUIRED = ["base_url", "success_url", "failed_url"] as const

type RequiredName = (typeof REQUIRED)[number]

/** The settings in force of a provider of which nothing is missing. */
export interface ProviderSettings extends Omit<SettingValues, RequiredName>, Record<RequiredName, string> {
  providerId: string
  /** Of its address: where its requests are created and its rows are read. */
  origin: string
  /** The gateway account that new rows belong to. */
  account: string
  /** Newest first. */
  secret_keys: [string, ...string[]]
  auth: GatewayAuth
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

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings {
  registration: Registration
  stored: StoredSettings
  /** Opens what is saved. */
  read: SecretReader
  fields: CryptoSettings["fields"]
  /** Those of the authentication in force, and the secret key. */
  secrets: Map<string, EffectiveSecret>
  /** Why something given cannot be used. */
  problem: SettingsProblem | null
  /** The names of the settings that still have to be given. */
  missing: string[]
  origin: string | null
  account: string
  /** Whose the requests are that were made at another origin: what was said for the address in force. */
  formerOrigins: StoredSettings["former_origins"]
  /** Undefined while something is missing. */
  settings: ProviderSettings | undefined
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
  const address = fields.base_url.value
  const mayUseConfigured = address === null || mayGetConfigured(registration, address)
  const secrets = readSecrets(registration, stored, fields, { mayUseConfigured, read })
  const type = fields.auth_type.value
  const isRefused = type === "function" && !mayUseConfigured
  const problems = [...secrets.values()].map(({ problem }) => problem)
  const codes = Object.keys(PROBLEMS) as SettingsProblem[]
  const problem =
    codes.find((code) => problems.includes(code) || (isRefused && code === "address_not_allowed")) ?? null
  // A later release may have saved a type that this one does not know.
  const isUsable = type === "function" ? !isRefused : Object.hasOwn(AUTH_TYPES, type)
  const required = type === "basic" ? ([...REQUIRED, "auth_username"] as const) : REQUIRED
  const missing = [
    ...required.filter((name) => fields[name].value === null),
    ...(isUsable ? [] : ["auth_type"]),
    ...[...secrets].flatMap(([name, { values, isOptional }]) =>
      values.length === 0 && !isOptional ? [name] : []
    ),
  ]
  const origin = originOf(address)
  const effective = {
    ...{ registration, stored, read, fields, secrets, problem, missing, origin },
    account: stored.gateway_account ?? registration.account ?? registration.providerId,
    formerOrigins: originOf(stored.bound_base_url) === origin ? stored.former_origins : {},
  }
  return { ...effective, settings: missing.length > 0 ? undefined : toProviderSettings(effective) }
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
  if (registration.authenticate !== undefined) {
    return registration.authenticate
  }
  const type = fields.auth_type.value
  const secret = (name: string): string | undefined => secrets.get(name)?.values[0]
  const valueOf = (option: string, kind: AuthFieldKind): unknown => {
    switch (kind) {
      case "secret_headers": {
        const headers = headersAmong([...secrets.keys()])
        return Object.fromEntries(headers.map((header) => [header, secret(headerSecretName(header))]))
      }
      case "text":
        return fields.auth_username.value
      case "header_names":
        return fields.auth_header_names.value && renamed({ ...fields.auth_header_names.value }, toOptionName)
      default:
        return secret(authName(option, kind))
    }
  }
  const given = fieldsOfType(type).map(([option, kind]) => [option, valueOf(option, kind)] as const)
  const options = given.filter(([, value]) => value !== undefined && value !== null)
  return { type, ...Object.fromEntries(options) } as GatewayAuth
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

function readSecrets(
  registration: Registration,
  stored: StoredSettings,
  { base_url: address, auth_type: type }: EffectiveSettings["fields"],
  { mayUseConfigured, read }: { mayUseConfigured: boolean; read: SecretReader }
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

function toProviderSettings(effective: Omit<EffectiveSettings, "settings">): ProviderSettings {
  const { registration, fields, secrets, origin, account } = effective
  const values = Object.entries(fields).map(([name, { value }]) => [name, value])
  return {
    ...(Object.fromEntries(values) as Pick<ProviderSettings, keyof SettingValues>),
    providerId: registration.providerId,
    origin: origin ?? "",
    account,
    secret_keys: secrets.get("secret_key")?.values as ProviderSettings["secret_keys"],
    auth: authInForce(effective),
  }
}

/** The origin of an address. What is no address was not saved here and is the origin of nothing else. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
