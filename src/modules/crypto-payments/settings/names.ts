import { AUTH_TYPES, authFields, isSecret, type AuthType } from "../../../gateway/auth-types"

/** Key of the module in Medusa's container and in medusa-config's `dependencies`. */
export const CRYPTO_PAYMENTS_MODULE = "cryptoPayments"

/** Core begins the ids of this plugin's providers with it. */
export const PROVIDER_PREFIX = "pp_crypto_"

/** `pp_crypto_default` as medusa-config has it: `default`. */
export const providerName = (providerId: string): string => providerId.replace(PROVIDER_PREFIX, "")

/**
 * A setting has the admin API's name everywhere: `base_url`, `auth_type`, `auth_username`; of secrets `secret_key`,
 * `auth.token`, `auth.headers.X-Key`. Only medusa-config and the gateway client have options (`baseUrl`, `apiKey`),
 * which are translated where they are read and given. Names of a merchant's headers are never changed.
 */
const HEADER = "auth.headers."

export interface AuthInput {
  type: AuthType
  [field: string]: unknown
}

export function toFieldName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function toOptionName(name: string): string {
  return name.startsWith(HEADER)
    ? name
    : name.replace(/^auth_/, "auth.").replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function renamed<V>(values: Record<string, V>, rename: (name: string) => string): Record<string, V> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]))
}

/**
 * The fields of a type of authentication, under each of their names. The `name` is the one among the settings; that of
 * a secret begins with `auth.`. Nothing for a function, or for a type that a later release has saved.
 */
export function authParts(type: unknown) {
  if (typeof type !== "string" || !Object.hasOwn(AUTH_TYPES, type)) {
    return []
  }
  return authFields(type as AuthType).map(([option, kind]) => {
    const field = toFieldName(option)
    return { kind, option, field, name: `auth${isSecret(kind) ? "." : "_"}${field}` }
  })
}

export type AuthPart = ReturnType<typeof authParts>[number]

/**
 * The name of the setting at a place of medusa-config's options or of a form. Within an authentication, it is that of a
 * field, such as `api_key`, or of a header; else that of its type.
 */
export function settingAt([first, place, header]: string[]): string | undefined {
  if (first !== "auth") {
    return first && toFieldName(first)
  }
  const parts = Object.keys(AUTH_TYPES).flatMap(authParts)
  const part = parts.find(({ option, field }) => place === option || place === field)
  const name = header === undefined ? undefined : headerSecretName(header)
  return (part?.kind === "secret_headers" ? name : part?.name) ?? "auth_type"
}

/** What a form or medusa-config gives for secrets, by name. Null removes what is stored. */
export type SecretInputs = Record<string, string | null | undefined>

/** Separates an authentication's settings from the secrets of its type. A secret that is not given is undefined. */
export function readAuth(auth: AuthInput | null | undefined) {
  const { type = auth, ...given }: Record<string, unknown> = auth ?? {}
  const values: Record<string, unknown> = type === undefined ? {} : { auth_type: type }
  const secrets: SecretInputs = {}
  for (const { kind, option, field, name } of authParts(type)) {
    const value = given[option] ?? given[field]
    if (kind === "secret_headers") {
      Object.assign(secrets, renamed(value as SecretInputs, headerSecretName))
    } else if (isSecret(kind)) {
      secrets[name] = value as string | null | undefined
    } else if (value !== undefined) {
      const names = value as Record<string, string>
      values[name] = kind === "header_names" ? renamed(names, toFieldName) : value === "" ? null : value
    }
  }
  return { values, secrets }
}

export function headerSecretName(header: string): string {
  return `${HEADER}${header}`
}

export function headerOfSecret(name: string): string | undefined {
  return name.startsWith(HEADER) ? name.slice(HEADER.length) : undefined
}

/** The headers among secrets, each with the secret's name. */
export function headersAmong(secrets: object): { header: string; name: string }[] {
  return Object.keys(secrets).flatMap((name) => {
    const header = headerOfSecret(name)
    return header === undefined ? [] : { header, name }
  })
}
