import { isMoreThan } from "../../../decision"
import { AUTH_TYPES, isSecret, type AuthFieldKind, type GatewayAuth } from "../../../gateway"
import { ENCRYPTION_KEY_VARIABLE, type Secret } from "./encryption-keys"
import { authParts, headersAmong, headerSecretName, renamed, toOptionName } from "./names"
import { CURRENCIES, DEFAULTS, type Registration, type SettingValues } from "./options-schema"
import type { SavedSettings } from "./settings-store"

const REQUIRED = ["base_url", "success_url", "failed_url"] as const

export interface ProviderSettings extends SettingValues {
  base_url: string
  success_url: string
  failed_url: string
  providerId: string
  /** The origin at which its requests are created and its rows are read. */
  origin: string
  secret_keys: [string, ...string[]]
  auth: GatewayAuth
}

/** What is or would be saved for one provider, with decrypted secrets: never show it. */
export interface StoredSettings extends Omit<SavedSettings, "secrets"> {
  secrets: Record<string, Secret[]>
}

export interface EffectiveSecret {
  /** `config` is locked. */
  source: "config" | "stored" | null
  /** Newest first; only those that can be decrypted and may be sent to the address in force. Never show them. */
  values: string[]
  problems: SettingsProblem[]
  isOptional: boolean
}

/** A setting in force and its source; medusa-config's value is locked. */
export interface Field<T> {
  value: T
  source: "config" | "stored" | "default"
  locked: boolean
}

export type Fields = { [Name in keyof SettingValues]: Field<SettingValues[Name]> }
type Secrets = Map<string, EffectiveSecret>

/** Why a given setting is not used, the most serious first. */
const PROBLEMS = {
  unreadable: `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`,
  address_changed:
    "The gateway address in the database is not the one that the saved secrets were encrypted for: somebody changed it outside the admin. The secrets are not sent to it. Save the right address and give the secrets again.",
  address_not_allowed:
    "medusa-config gives secrets and not the gateway address. They are not sent to an address that was typed into the admin. Give baseUrl in medusa-config, or its origin in allowedOrigins.",
  elsewhere:
    "The secrets were given for another gateway address and are not sent to this one. Give them again.",
  limits_crossed:
    "In one currency the smallest amount is above the largest, so nothing can be paid in it: one of the two is set in medusa-config, the other is saved. Correct min_amount or max_amount.",
}

type SettingsProblem = keyof typeof PROBLEMS

export function describeProblem(problem: SettingsProblem | null): string | null {
  return problem && PROBLEMS[problem]
}

export type EffectiveSettings = ReturnType<typeof resolveEffective>

/** medusa-config's settings, field by field; else the saved ones; else defaults. */
export function resolveEffective(registration: Registration, stored: StoredSettings) {
  const fields = readFields(registration, stored)
  const address = fields.base_url.value
  const type = fields.auth_type.value
  const mayUseConfigured = mayGetConfigured(registration, address)
  const secrets = readSecrets(registration, stored, fields)
  const problems = [...secrets.values()].flatMap((secret) => secret.problems)
  if (type === "function" && !mayUseConfigured) {
    problems.push("address_not_allowed")
  }
  const crossed = crossedCurrencies(fields)
  if (crossed.length > 0) {
    problems.push("limits_crossed")
  }
  // A later release may have saved a type that this one does not know.
  const isUsable = type === "function" ? mayUseConfigured : Object.hasOwn(AUTH_TYPES, type)
  const required = type === "basic" ? ([...REQUIRED, "auth_username"] as const) : REQUIRED
  const missing = [
    ...required.filter((name) => fields[name].value === null),
    ...(isUsable ? [] : ["auth_type"]),
    ...[...secrets].flatMap(([name, { values, isOptional }]) =>
      values.length === 0 && !isOptional ? [name] : []
    ),
  ]
  const origin = originOf(address)
  const auth = registration.authenticate ?? readAuthInForce(fields, secrets)
  const values = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
  const { providerId } = registration
  const secret_keys = secrets.get("secret_key")?.values
  const inForce = { ...values, providerId, origin, secret_keys, auth } as ProviderSettings
  return {
    ...{ registration, stored, fields, secrets, missing, crossed, origin },
    /** Do not use what `missing` names. */
    inForce,
    problem: (Object.keys(PROBLEMS) as SettingsProblem[]).find((code) => problems.includes(code)) ?? null,
    settings: missing.length > 0 ? undefined : inForce,
  }
}

/** Those whose smallest amount is above the largest. */
function crossedCurrencies({ min_amount, max_amount }: Fields): string[] {
  return CURRENCIES.filter((currency) => {
    const [smallest, largest] = [min_amount.value?.[currency], max_amount.value?.[currency]]
    return smallest !== undefined && largest !== undefined && isMoreThan(smallest, largest)
  })
}

/**
 * Only an address that medusa-config gives or allows: otherwise an admin user could send its secrets elsewhere. While
 * no address is known, nothing is sent.
 */
export function mayGetConfigured({ values, allowedOrigins }: Registration, address: string | null): boolean {
  const allowed = [originOf(values.base_url ?? null), ...allowedOrigins]
  return address === null || allowed.includes(originOf(address))
}

function readAuthInForce({ auth_type, auth_username, auth_header_names }: Fields, secrets: Secrets) {
  const { value: type } = auth_type
  const current = new Map([...secrets].map(([name, { values }]) => [name, values[0]]))
  const headers = headersAmong([...secrets.keys()])
  const values: Partial<Record<AuthFieldKind, unknown>> = {
    secret_headers: Object.fromEntries(headers.map((name) => [name, current.get(headerSecretName(name))])),
    text: auth_username.value,
    header_names: auth_header_names.value && renamed({ ...auth_header_names.value }, toOptionName),
  }
  const given = authParts(type).map(({ kind, option, name }) => [option, values[kind] ?? current.get(name)])
  const options = given.filter(([, value]) => value !== undefined)
  return { type, ...Object.fromEntries(options) } as GatewayAuth
}

function readFields({ values }: Registration, { options }: StoredSettings): Fields {
  const fields = Object.entries(DEFAULTS).map(([key, preset]: [string, unknown]) => {
    const name = key as keyof SettingValues
    const source = values[name] !== undefined ? "config" : options[name] !== undefined ? "stored" : "default"
    const locked = source === "config" || name === "public_url"
    return [name, { value: values[name] ?? options[name] ?? preset, source, locked }]
  })
  return Object.fromEntries(fields) as Fields
}

/** The secrets of the authentication in force, and the secret key. */
function readSecrets(
  registration: Registration,
  stored: StoredSettings,
  { base_url: address, auth_type: type }: Fields
): Secrets {
  const mayUseConfigured = mayGetConfigured(registration, address.value)
  const bound = stored.bound_base_url
  // A saved address always has a bound one. Without it, somebody else wrote the address.
  const isElsewhere =
    address.value !== null && (bound === null ? !address.locked : originOf(bound) !== originOf(address.value))
  const readSecret = (name: string, isOptional = false): [string, EffectiveSecret] => {
    const configured = registration.secrets[name] ?? []
    const isConfigured = configured.length > 0
    const given: Secret[] = isConfigured ? configured : (stored.secrets[name] ?? [])
    const isWithheld = isConfigured ? !mayUseConfigured : isElsewhere
    const refused = isConfigured ? "address_not_allowed" : "elsewhere"
    const problems = given.flatMap((secret) =>
      typeof secret !== "string" ? secret.problem : isWithheld ? refused : []
    )
    const values = isWithheld ? [] : given.filter((secret) => typeof secret === "string")
    const source = isConfigured ? "config" : given.length > 0 ? "stored" : null
    return [name, { source, values, problems, isOptional }]
  }
  const headers = headersAmong(Object.keys(type.locked ? registration.secrets : stored.secrets))
  const ofType = authParts(type.value).flatMap(({ kind, name }) => {
    if (kind === "secret_headers") {
      return headers.map((header) => readSecret(headerSecretName(header)))
    }
    return isSecret(kind) ? [readSecret(name, kind === "optional_secret")] : []
  })
  return new Map([readSecret("secret_key"), ...ofType])
}

/** A text that is no address is returned as it is: it equals no origin. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
