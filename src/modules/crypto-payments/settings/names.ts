import {
  AUTH_TYPES,
  authFields,
  isSecret,
  type AuthFieldKind,
  type AuthType,
} from "../../../gateway/auth-types"

/**
 * A setting has the admin API's name everywhere: `base_url`, `auth_type`, `auth_username`; of secrets `secret_key`,
 * `auth.token`, `auth.headers.X-Key`. Only medusa-config and the gateway client have options (`baseUrl`, `apiKey`): they
 * are translated where they are read and given. The names of a merchant's own headers are never changed.
 */
const HEADER = "auth.headers."

const AUTH_KINDS: Partial<Record<string, AuthFieldKind>> = Object.fromEntries(
  (Object.keys(AUTH_TYPES) as AuthType[]).flatMap((type) => authFields(type))
)

/** The name of a setting, by its option. */
export function toFieldName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** What a setting is called in medusa-config. */
export function toOptionName(name: string): string {
  return name.startsWith(HEADER)
    ? name
    : name.replace(/^auth_/, "auth.").replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The same values under other names. */
export function renamed<Value>(
  values: Record<string, Value>,
  rename: (name: string) => string
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]))
}

/** The name of what an authentication is given, by its option: a secret's begins with `auth.`. */
export function authName(option: string, kind: AuthFieldKind): string {
  return `auth${isSecret(kind) ? "." : "_"}${toFieldName(option)}`
}

/** The name of what is at a place of an authentication, such as `api_key`, or a header; else that of its type. */
export function authNameAt([part = "", header]: string[]): string {
  const option = toOptionName(part)
  const kind = AUTH_KINDS[option]
  if (kind === "secret_headers" && header !== undefined) {
    return headerSecretName(header)
  }
  return kind === undefined || kind === "secret_headers" ? "auth_type" : authName(option, kind)
}

/** The name of the secret that is sent in a header of the merchant's own. */
export function headerSecretName(header: string): string {
  return `${HEADER}${header}`
}

/** The header that a secret is sent in; undefined for any other secret. */
export function headerOfSecret(name: string): string | undefined {
  return name.startsWith(HEADER) ? name.slice(HEADER.length) : undefined
}

/** Names of the headers among names of secrets. */
export function headersAmong(names: string[]): string[] {
  return names.flatMap((name) => headerOfSecret(name) ?? [])
}
