import type { AuthType, PlainField, SignatureHeaderNames, StoredPlain } from "./stored-settings"

/** A secret as a form gives it: blank or left out keeps what is stored, null deletes it. */
export type SecretInput = string | null | undefined

/** Authentication as a form gives it. */
export interface AuthInput {
  type: AuthType
  token?: SecretInput
  username?: string | undefined
  password?: SecretInput
  api_key?: SecretInput
  secret_key?: SecretInput
  headers?: Record<string, SecretInput> | undefined
  header_names?: SignatureHeaderNames | undefined
}

/** The settings a form gives. A field left out stays as it is; null removes what is stored. */
export type SettingsInput = { [Field in PlainField]?: StoredPlain[Field] | null | undefined } & {
  auth?: AuthInput | null | undefined
  secret_key?: SecretInput
  former_secret_keys?: "keep" | "drop" | undefined
}

/** Why settings are not saved or tested; `fields` names what it is about. */
export interface SettingsRefusal {
  code: "locked" | "invalid" | "secrets_required" | "origin_not_allowed"
  message: string
  fields: string[]
}
