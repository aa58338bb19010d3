import { AUTH_TYPES, isSecret, type GatewayAuth } from "../../../gateway"
import type { CryptoSettings, SettingsProblem, SettingValues } from "../../../http-contract"
import { ENCRYPTION_KEY_VARIABLE } from "./encryption-keys"
import { authParts, headersAmong, headerSecretName, renamed, toOptionName, type AuthPart } from "./names"
import { DEFAULTS, type Registration } from "./options-schema"
import type { SavedSettings } from "./settings-store"

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

/** A secret that is saved, or that a form has just given: never to be shown. */
export interface Secret {
  /** As it is stored; null for one that was just given. */
  sealed: string | null
  /** Undefined when no key opens it, null when it was sealed for something else. */
  text: string | undefined | null
}

/** What is saved for one provider, or would be, with its secrets opened: never to be shown. */
export interface StoredSettings extends Omit<SavedSettings, "secrets"> {
  secrets: Record<string, Secret[]>
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

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings {
  registration: Registration
  stored: StoredSettings
  fields: CryptoSettings["fields"]
  /** Those of the authentication in force, and the secret key. */
  secrets: Map<string, EffectiveSecret>
  /** The authentication with the values in force; not to be used while something of it is missing. */
  auth: GatewayAuth
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
export function resolveEffective(registration: Registration, stored: StoredSettings): EffectiveSettings {
  const fields = readFields(registration, stored)
  const address = fields.base_url.value
  const type = fields.auth_type.value
  const mayUseConfigured = address === null || mayGetConfigured(registration, address)
  const secrets = readSecrets(registration, stored, fields, mayUseConfigured)
  const problems: unknown[] = [...secrets.values()].map(({ problem }) => problem)
  if (type === "function" && !mayUseConfigured) {
    problems.push("address_not_allowed")
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
  const account = stored.gateway_account ?? registration.account ?? registration.providerId
  const auth = registration.authenticate ?? readAuthInForce(fields, secrets)
  const values = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
  const { providerId } = registration
  const secret_keys = secrets.get("secret_key")?.values
  return {
    ...{ registration, stored, fields, secrets, auth, missing, origin, account },
    problem: (Object.keys(PROBLEMS) as SettingsProblem[]).find((code) => problems.includes(code)) ?? null,
    formerOrigins: originOf(stored.bound_base_url) === origin ? stored.former_origins : {},
    settings:
      missing.length > 0
        ? undefined
        : ({ ...values, providerId, origin, account, secret_keys, auth } as ProviderSettings),
  }
}

/**
 * Whether an address may be sent what medusa-config gives as a secret: only one that medusa-config gives or allows, so
 * that whoever may change settings, or the database, cannot send it elsewhere.
 */
export function mayGetConfigured({ values, allowedOrigins }: Registration, address: string): boolean {
  return [originOf(values.base_url ?? null), ...allowedOrigins].includes(originOf(address))
}

function readAuthInForce(
  fields: EffectiveSettings["fields"],
  secrets: EffectiveSettings["secrets"]
): GatewayAuth {
  const { auth_type, auth_username, auth_header_names } = fields
  const secret = (name: string): string | undefined => secrets.get(name)?.values[0]
  const valueOf = ({ kind, name }: AuthPart): unknown => {
    switch (kind) {
      case "secret_headers": {
        const headers = headersAmong([...secrets.keys()])
        return Object.fromEntries(headers.map((header) => [header, secret(headerSecretName(header))]))
      }
      case "text":
        return auth_username.value
      case "header_names":
        return auth_header_names.value && renamed({ ...auth_header_names.value }, toOptionName)
      default:
        return secret(name)
    }
  }
  const given = authParts(auth_type.value).map((part) => [part.option, valueOf(part)] as const)
  const options = given.filter(([, value]) => value !== undefined && value !== null)
  return { type: auth_type.value, ...Object.fromEntries(options) } as GatewayAuth
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
  mayUseConfigured: boolean
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
    const opened = saved.map(({ text }) => text)
    const values = opened.filter((text) => typeof text === "string")
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
  const ofType = authParts(type.value).flatMap(({ kind, name }) => {
    if (kind === "secret_headers") {
      return headers.map((header) => readSecret(headerSecretName(header)))
    }
    return isSecret(kind) ? [readSecret(name, kind === "optional_secret")] : []
  })
  return new Map([readSecret("secret_key"), ...ofType])
}

/** The origin of an address. What is no address was not saved here and is the origin of nothing else. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
