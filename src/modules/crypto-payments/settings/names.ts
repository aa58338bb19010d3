import {
  AUTH_TYPES,
  authFields,
  isSecret,
  type AuthFieldKind,
  type AuthType,
} from "../../../gateway/auth-types"
import type { AuthInput, SettingValues } from "../../../http-contract"

/**
 * A setting has the admin API's name everywhere: `base_url`, `auth_type`, `auth_username`; of secrets `secret_key`,
 * `auth.token`, `auth.headers.X-Key`. Only medusa-config and the gateway client have options (`baseUrl`, `apiKey`): they
 * are translated where they are read and given. The names of a merchant's own headers are never changed.
 */
const HEADER = "auth.headers."

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

/** One of the things that a type of authentication is given, under each of its names. */
export interface AuthPart {
  kind: AuthFieldKind
  /** In medusa-config, and for the gateway client. */
  option: string
  /** In the admin API's `auth`. */
  field: string
  /** Among the settings: a secret's begins with `auth.`. */
  name: string
}

/** What a type is given; nothing for a function, or a type that a later release has saved. */
export function authParts(type: unknown): AuthPart[] {
  if (typeof type !== "string" || !Object.hasOwn(AUTH_TYPES, type)) {
    return []
  }
  return authFields(type as AuthType).map(([option, kind]) => {
    const field = toFieldName(option)
    return { kind, option, field, name: `auth${isSecret(kind) ? "." : "_"}${field}` }
  })
}

/** The name of what is at a place of an authentication, such as `api_key`, or a header; else that of its type. */
export function authNameAt([place, header]: string[]): string {
  const parts = Object.keys(AUTH_TYPES).flatMap(authParts)
  const part = parts.find(({ option, field }) => place === option || place === field)
  const name = header === undefined ? undefined : headerSecretName(header)
  return (part?.kind === "secret_headers" ? name : part?.name) ?? "auth_type"
}

/**
 * Takes a checked authentication apart, of medusa-config or of a form: what is no secret, and each secret of its type,
 * undefined where it is not given.
 */
export function readAuth({ type, ...given }: AuthInput): {
  values: Partial<SettingValues>
  secrets: Record<string, string | null | undefined>
} {
  const values: Record<string, unknown> = { auth_type: type }
  const secrets: Record<string, string | null | undefined> = {}
  for (const { kind, option, field, name } of authParts(type)) {
    const value = given[option] ?? given[field]
    if (kind === "secret_headers") {
      Object.assign(secrets, renamed(value as typeof secrets, headerSecretName))
    } else if (isSecret(kind)) {
      secrets[name] = value as string | null | undefined
    } else if (value !== undefined) {
      const names = value as Record<string, string>
      values[name] = kind === "header_names" ? renamed(names, toFieldName) : value === "" ? null : value
    }
  }
  return { values, secrets }
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
