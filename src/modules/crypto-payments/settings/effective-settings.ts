import { isMoreThan } from "../../../decision"
import { AUTH_TYPES, type AuthFieldKind, type GatewayAuth } from "../../../gateway"
import { ENCRYPTION_KEY_VARIABLE, type Secret } from "./encryption-keys"
import { authParts, headersAmong, renamed, toOptionName } from "./names"
import type { Registration } from "./options-schema"
import { CURRENCIES, DEFAULTS, type GivenSettings, type SettingValues } from "./setting"

const REQUIRED = ["base_url", "success_url", "failed_url"] as const

/** What is or would be saved for one provider, with decrypted secrets: never show it. */
export interface StoredSettings extends GivenSettings {
  version: number
  updated_at: Date | null
}

export const NOTHING_STORED: StoredSettings = {
  version: 0,
  updated_at: null,
  values: {},
  secrets: {},
}

export interface EffectiveSecret {
  /** `config` is locked. */
  source: "config" | "stored" | null
  /** Newest first; only those that may be sent to the address in force. Never show them. */
  values: string[]
  /** No encryption key that is given opens it. */
  isUnreadable: boolean
}

/** Why given settings cannot be used, the most serious first. */
const PROBLEMS = {
  unreadable: `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`,
  address_not_allowed:
    "medusa-config gives secrets and not the gateway address. They are not sent to an address that was typed into the admin. Give baseUrl in medusa-config, or its origin in allowedOrigins.",
  elsewhere:
    "The saved secrets were given for another gateway address and are not sent to this one. If nobody has changed the address in medusa-config, somebody changed it outside the admin: save the right address. Give the secrets again.",
  limits_crossed:
    "In one currency, the smallest amount of a cart is above the largest, so crypto is not offered in it. One of the two is medusa-config's, the other was saved. Correct minAmount or maxAmount.",
}

type SettingsProblem = keyof typeof PROBLEMS

export function describeProblem(problem: SettingsProblem | null): string | null {
  return problem && PROBLEMS[problem]
}

/** A provider's settings in force, its secrets decrypted: never show them. */
interface ResolvedSettings extends SettingValues {
  providerId: string
  /** Where the values come from. */
  registration: Registration
  stored: StoredSettings
  /** The secret key, and the secrets of the authentication in force. */
  secrets: Map<string, EffectiveSecret>
  /** What still has to be given; do not use it. */
  missing: string[]
  problem: SettingsProblem | null
  /** The origin at which its requests are created and its rows are read. */
  origin: string | null
  secret_keys: string[]
  auth: GatewayAuth
}

/** With these the gateway can be called. */
export type ProviderSettings = ResolvedSettings & {
  isConfigured: true
  base_url: string
  success_url: string
  failed_url: string
  origin: string
  secret_keys: [string, ...string[]]
}

export type EffectiveSettings = ProviderSettings | (ResolvedSettings & { isConfigured: false })

/** medusa-config's settings, one by one; else the saved ones; else defaults. */
export function resolveEffective(registration: Registration, stored: StoredSettings): EffectiveSettings {
  const values = { ...DEFAULTS, ...stored.values, ...registration.values }
  const { base_url, auth_type } = values
  const { providerId, authenticate } = registration
  const mayUseConfigured = mayGetConfigured(registration, base_url)
  const { secrets, auth, unset, problems } = readSecrets(registration, stored, values)
  if (authenticate !== undefined && !mayUseConfigured) {
    problems.push("address_not_allowed")
  }
  if (crossedCurrencies(values).length > 0) {
    problems.push("limits_crossed")
  }
  // A later release may have saved a type that this one does not know.
  const isUsable = authenticate === undefined ? Object.hasOwn(AUTH_TYPES, auth_type) : mayUseConfigured
  const missing = [
    ...REQUIRED.filter((name) => values[name] === null),
    ...(isUsable ? [] : ["auth_type"]),
    ...unset,
  ]
  return {
    ...values,
    ...{ providerId, registration, stored, secrets, missing },
    problem: (Object.keys(PROBLEMS) as SettingsProblem[]).find((code) => problems.includes(code)) ?? null,
    origin: originOf(base_url),
    isConfigured: missing.length === 0,
    secret_keys: secrets.get("secret_key")?.values ?? [],
    auth: authenticate ?? auth,
  } as EffectiveSettings
}

/** Those whose smallest amount is above the largest. One of the two may be medusa-config's, the other saved. */
export function crossedCurrencies({ min_amount, max_amount }: SettingValues) {
  return CURRENCIES.filter((currency) => {
    const [smallest, largest] = [min_amount?.[currency], max_amount?.[currency]]
    return smallest !== undefined && largest !== undefined && isMoreThan(smallest, largest)
  })
}

/**
 * Only an address that medusa-config gives or allows: otherwise an admin user could send its secrets elsewhere. While
 * no address is known, nothing is sent.
 */
export function mayGetConfigured({ values, allowed_origins }: Registration, address: string | null): boolean {
  const allowed = [originOf(values.base_url ?? null), ...allowed_origins]
  return address === null || allowed.includes(originOf(address))
}

/** The secret key, and the authentication in force with its secrets. */
function readSecrets(registration: Registration, stored: StoredSettings, values: SettingValues) {
  const { base_url: address, auth_type: type, auth_username, auth_header_names: names } = values
  const mayUseConfigured = mayGetConfigured(registration, address)
  const secrets = new Map<string, EffectiveSecret>()
  const problems: SettingsProblem[] = []
  const read = (name: string): string | undefined => {
    const isConfigured = gives(registration, name)
    const given: Secret[] = (isConfigured ? registration : stored).secrets[name] ?? []
    const isWithheld = isConfigured && !mayUseConfigured
    const found = given.flatMap((secret) =>
      typeof secret !== "string" ? secret.problem : isWithheld ? "address_not_allowed" : []
    )
    problems.push(...found)
    const usable = isWithheld ? [] : given.filter((secret) => typeof secret === "string")
    const source = isConfigured ? "config" : given.length > 0 ? "stored" : null
    secrets.set(name, { source, values: usable, isUnreadable: found.includes("unreadable") })
    return usable[0]
  }
  const unset: string[] = []
  const needed = (name: string, value: string | null | undefined) => {
    unset.push(...(value ? [] : [name]))
    return value
  }
  needed("secret_key", read("secret_key"))
  const { secrets: named } = gives(registration, "auth_type") ? registration : stored
  const readPart: Record<AuthFieldKind, (name: string) => unknown> = {
    secret: (name) => needed(name, read(name)),
    optional_secret: read,
    text: (name) => needed(name, auth_username),
    secret_headers: () =>
      Object.fromEntries(headersAmong(named).map(({ header, name }) => [header, needed(name, read(name))])),
    header_names: () => names && renamed({ ...names }, toOptionName),
  }
  const parts = authParts(type).map(({ kind, option, name }) => [option, readPart[kind](name) ?? undefined])
  return { secrets, problems, unset, auth: { type, ...Object.fromEntries(parts) } as GatewayAuth }
}

/** Whether medusa-config or the saved settings give a value or a secret. */
export function gives({ values, secrets }: GivenSettings, name: string): boolean {
  return values[name as keyof SettingValues] !== undefined || (secrets[name]?.length ?? 0) > 0
}

/** The origin to which saved secrets may be sent: of medusa-config's address, else of the saved one. */
export const originInUse = (registration: Registration | undefined, values: GivenSettings["values"]) =>
  originOf(registration?.values.base_url ?? values.base_url ?? null)

/** A text that is no address is returned as it is: it equals no origin. */
function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
