import { authFields, type AuthType } from "../../gateway/auth-types"
import {
  authSecretName,
  headerOfSecret,
  headerSecretName,
  toFieldName,
} from "../../modules/crypto-payments/settings/names"
import type { AuthInput, CryptoSettings, SettingsInput } from "../../http-contract"
import { wholeNumber } from "./whole-number"

/** The connection form as the merchant fills it in. Secrets begin empty: what is stored never comes back. */
export interface ConnectionForm {
  baseUrl: string
  secretKey: string
  keepFormerKey: boolean
  authType: AuthType | "function"
  username: string
  /** By the API's names, such as `auth.token`. */
  secrets: Record<string, string>
  headers: { name: string; value: string }[]
  timeoutMs: string
}

export function connectionForm({ fields, secrets }: CryptoSettings): ConnectionForm {
  return {
    baseUrl: fields.base_url.value ?? "",
    secretKey: "",
    keepFormerKey: false,
    authType: fields.auth_type.value ?? "none",
    username: fields.auth_username.value ?? "",
    secrets: {},
    headers: headerNames(secrets).map((name) => ({ name, value: "" })),
    timeoutMs: fields.timeout_ms.value === null ? "" : String(fields.timeout_ms.value),
  }
}

/** Names of the secrets that a type has and that the form has a field for, in its order; headers are asked for by name. */
export function authSecrets(type: ConnectionForm["authType"]): string[] {
  const fields = type === "function" ? [] : authFields(type)
  return fields.flatMap(([option, kind]) =>
    kind === "secret" || kind === "optional_secret" ? [authSecretName(option)] : []
  )
}

/** Only what was changed: what is left out stays as it is, and a default is not written down as a choice. */
export function connectionInput(form: ConnectionForm, settings: CryptoSettings): SettingsInput {
  const before = connectionForm(settings)
  const input: SettingsInput = {}
  if (form.baseUrl.trim() !== before.baseUrl) {
    input.base_url = form.baseUrl.trim() || null
  }
  if (form.secretKey !== "") {
    input.secret_key = form.secretKey
    input.former_secret_keys = form.keepFormerKey ? "keep" : "drop"
  }
  if (form.timeoutMs.trim() !== before.timeoutMs) {
    const timeout = wholeNumber(form.timeoutMs)
    if (timeout !== undefined) {
      input.timeout_ms = timeout
    }
  }
  if (isAuthChanged(form, before)) {
    const auth = authInput(form)
    if (auth !== undefined) {
      input.auth = auth
    }
  }
  return input
}

/** Whether a secret can be typed into the form, that is, whether one is not given by medusa-config. */
export function takesSecrets(form: ConnectionForm, { secrets }: CryptoSettings): boolean {
  const headers = form.authType === "headers" ? form.headers.map(({ name }) => headerSecretName(name)) : []
  const names = ["secret_key", ...authSecrets(form.authType), ...headers]
  return names.some((name) => !secrets[name]?.locked)
}

function isAuthChanged(form: ConnectionForm, before: ConnectionForm): boolean {
  return (
    form.authType !== before.authType ||
    form.username !== before.username ||
    Object.values(form.secrets).some((value) => value !== "") ||
    JSON.stringify(form.headers) !== JSON.stringify(before.headers)
  )
}

/** What the form says of the authentication: a field for each that its type has and that the form asks for. */
function authInput(form: ConnectionForm): AuthInput | undefined {
  const { authType: type } = form
  if (type === "function") {
    return undefined
  }
  const input: Record<string, unknown> = { type }
  for (const [option, kind] of authFields(type)) {
    const name = toFieldName(option)
    if (kind === "secret_headers") {
      input[name] = headerValues(form.headers)
    } else if (kind === "text") {
      input[name] = form.username
    } else if (kind !== "header_names") {
      input[name] = form.secrets[authSecretName(option)] ?? ""
    }
  }
  return input as unknown as AuthInput
}

function headerValues(headers: ConnectionForm["headers"]): Record<string, string> {
  return Object.fromEntries(
    headers.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value])
  )
}

function headerNames(secrets: CryptoSettings["secrets"]): string[] {
  return Object.keys(secrets).flatMap((name) => headerOfSecret(name) ?? [])
}
