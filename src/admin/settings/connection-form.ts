import { AUTH_TYPES, authFields, type AuthType } from "../../gateway/auth-types"
import type { AuthInput, CryptoSettings, SettingsInput } from "../../http-contract"
import { authName, headerSecretName, headersAmong } from "../../modules/crypto-payments/settings/names"
import { changedSettings, type Typed } from "./setting-fields"

/** A header of the merchant's own; an empty value keeps the stored one of that name. */
export interface TypedHeader {
  name: string
  value: string
}

export function headersFrom({ secrets }: CryptoSettings): TypedHeader[] {
  return headersAmong(Object.keys(secrets)).map((name) => ({ name, value: "" }))
}

/** Names of the secrets that a type has and that the form has a field for; headers are asked for by name. */
export function authSecrets(type: Typed[string]): string[] {
  return fieldsOf(type).flatMap(([option, kind]) =>
    kind === "secret" || kind === "optional_secret" ? [authName(option, kind)] : []
  )
}

export function connectionInput(
  typed: Typed,
  headers: TypedHeader[],
  settings: CryptoSettings
): SettingsInput {
  const { secret_key, keep_former, auth_type, auth_username } = typed
  const { fields } = settings
  const isAuthChanged =
    auth_type !== fields.auth_type.value ||
    auth_username !== (fields.auth_username.value ?? "") ||
    authSecrets(auth_type).some((name) => typed[name]) ||
    JSON.stringify(headers) !== JSON.stringify(headersFrom(settings))
  return {
    ...changedSettings(["base_url", "timeout_ms"], typed, settings),
    ...(secret_key
      ? { secret_key: String(secret_key), former_secret_keys: keep_former ? "keep" : "drop" }
      : {}),
    ...(isAuthChanged && auth_type !== "function" ? { auth: authInput(typed, headers) } : {}),
  }
}

/** Whether a secret can be typed into the form, that is, whether one is not given by medusa-config. */
export function takesSecrets(typed: Typed, headers: TypedHeader[], { secrets }: CryptoSettings): boolean {
  const named = typed["auth_type"] === "headers" ? headers.map(({ name }) => headerSecretName(name)) : []
  const names = ["secret_key", ...authSecrets(typed["auth_type"]), ...named]
  return names.some((name) => !secrets[name]?.locked)
}

/** What the form says of the authentication: a field for each that its type has and that the form asks for. */
function authInput(typed: Typed, headers: TypedHeader[]): AuthInput {
  const given = headers
    .filter(({ name }) => name.trim() !== "")
    .map(({ name, value }) => [name.trim(), value])
  const parts = fieldsOf(typed["auth_type"]).flatMap(([option, kind]): [string, unknown][] => {
    const name = authName(option, kind)
    if (kind === "header_names") {
      return []
    }
    const value: unknown = kind === "secret_headers" ? Object.fromEntries(given) : (typed[name] ?? "")
    return [[name.replace(/^auth[._]/, ""), value]]
  })
  return { type: typed["auth_type"] as AuthType, ...Object.fromEntries(parts) }
}

function fieldsOf(type: Typed[string]): ReturnType<typeof authFields> {
  return typeof type === "string" && Object.hasOwn(AUTH_TYPES, type) ? authFields(type as AuthType) : []
}
