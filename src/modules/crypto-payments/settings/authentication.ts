import {
  AUTH_TYPES,
  authFields,
  isSecret,
  type AuthFieldKind,
  type AuthType,
  type GatewayAuth,
} from "../../../gateway"
import type { AuthInput, SettingValues } from "../../../http-contract"
import { authName, headerSecretName, headersAmong, renamed, toFieldName, toOptionName } from "./names"

/** What a type of authentication is given; nothing for a function, or a type that a later release has saved. */
export function fieldsOfType(type: string): [option: string, kind: AuthFieldKind][] {
  return Object.hasOwn(AUTH_TYPES, type) ? authFields(type as AuthType) : []
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
  for (const [option, kind] of fieldsOfType(type)) {
    const value = given[option] ?? given[toFieldName(option)]
    if (kind === "secret_headers") {
      Object.assign(secrets, renamed(value as typeof secrets, headerSecretName))
    } else if (isSecret(kind)) {
      secrets[authName(option, kind)] = value as string | null | undefined
    } else if (value !== undefined) {
      const names = value as Record<string, string>
      values[authName(option, kind)] =
        kind === "header_names" ? renamed(names, toFieldName) : value === "" ? null : value
    }
  }
  return { values, secrets }
}

/** Makes what the gateway client takes, when nothing is missing. @param secret one of `names` that may be used */
export function toGatewayAuth(
  fields: { [Name in `auth_${string}` & keyof SettingValues]: { value: SettingValues[Name] } },
  names: string[],
  secret: (name: string) => string | undefined
): GatewayAuth {
  const type = fields.auth_type.value
  const auth: Record<string, unknown> = { type }
  for (const [option, kind] of fieldsOfType(type)) {
    if (kind === "secret_headers") {
      auth[option] = Object.fromEntries(
        headersAmong(names).map((header) => [header, secret(headerSecretName(header))])
      )
    } else if (isSecret(kind)) {
      auth[option] = secret(authName(option, kind))
    } else {
      const value = kind === "text" ? fields.auth_username.value : fields.auth_header_names.value
      auth[option] = value !== null && typeof value === "object" ? renamed({ ...value }, toOptionName) : value
    }
  }
  return Object.fromEntries(
    Object.entries(auth).filter(([, value]) => value !== undefined && value !== null)
  ) as GatewayAuth
}
