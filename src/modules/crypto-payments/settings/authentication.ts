import { AUTH_TYPES, authFields, isSecret, type AuthFieldKind, type AuthType } from "../../../gateway"
import type { AuthInput, SettingValues } from "../../../http-contract"
import { authName, headerSecretName, renamed, toFieldName } from "./names"

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
