import { authFields, isSecret, type AuthType } from "../../../gateway"
import type { SettingsInput as SettingsForm } from "../../../http-contract"
import { authSecretName, headerSecretName, toFieldName, toOptionNames } from "./names"
import type { SavedAuth, SavedOption, SavedOptions } from "./stored-settings"

/** A secret as a form gives it: blank or left out keeps what is stored, null deletes it. */
export type SecretInput = string | null | undefined

/** Authentication as a form gives it. */
export interface AuthInput extends SavedAuth {
  /** By name. */
  secrets: Record<string, SecretInput>
}

/** The settings a form gives, under the options' names. What is left out stays as it is; null removes what is stored. */
export type SettingsInput = { [Option in SavedOption]?: SavedOptions[Option] | null | undefined } & {
  auth?: AuthInput | null | undefined
  secretKey?: SecretInput
  formerSecretKeys?: "keep" | "drop" | undefined
}

/** Why settings are not saved or tested; `fields` names what it is about. */
export interface SettingsRefusal {
  code: "locked" | "invalid" | "secrets_required" | "origin_not_allowed"
  message: string
  fields: string[]
}

/** A checked body of the admin API: every field may be left out, blank or null. */
export type CheckedForm = { [Field in keyof Omit<SettingsForm, "auth">]: unknown } & {
  auth?: ({ type: AuthType } & Record<string, unknown>) | null | undefined
}

/** Reads a checked body of the admin API. */
export function readForm({ auth, ...fields }: CheckedForm): SettingsInput {
  const input: SettingsInput = toOptionNames(fields)
  return auth === undefined ? input : { ...input, auth: auth === null ? null : readAuth(auth) }
}

function readAuth({ type, ...given }: { type: AuthType } & Record<string, unknown>): AuthInput {
  const plain: Record<string, unknown> = {}
  const secrets: AuthInput["secrets"] = {}
  for (const [option, kind] of authFields(type)) {
    const value = given[toFieldName(option)]
    if (kind === "secret_headers") {
      for (const [header, text] of Object.entries((value ?? {}) as Record<string, SecretInput>)) {
        secrets[headerSecretName(header)] = text
      }
    } else if (isSecret(kind)) {
      secrets[authSecretName(option)] = value as SecretInput
    } else if (value !== undefined) {
      plain[option] = kind === "header_names" ? toOptionNames(value as Record<string, string>) : value
    }
  }
  return { type, ...plain, secrets }
}
