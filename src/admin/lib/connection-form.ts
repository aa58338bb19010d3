import type { AuthInput, AuthType, CryptoSettings, SettingsInput } from "./settings-contract"
import { wholeNumber } from "./whole-number"

/** The connection form as the merchant fills it in. Secrets begin empty: what is stored never comes back. */
export interface ConnectionForm {
  baseUrl: string
  secretKey: string
  keepFormerKey: boolean
  authType: AuthType | "function"
  username: string
  /** By the API's names: `auth.token`, `auth.password`, `auth.api_key`, `auth.secret_key`. */
  secrets: Record<string, string>
  headers: { name: string; value: string }[]
  timeoutMs: string
}

const HEADER = "auth.headers."

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

/** Names of secrets that each way of signing in has, in the form's order. */
export const AUTH_SECRETS: Record<AuthType | "function", string[]> = {
  none: [],
  bearer: ["auth.token"],
  basic: ["auth.password"],
  signature: ["auth.api_key", "auth.secret_key"],
  headers: [],
  function: [],
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
  const headers = form.authType === "headers" ? form.headers.map(({ name }) => HEADER + name) : []
  const names = ["secret_key", ...AUTH_SECRETS[form.authType], ...headers]
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

function authInput(form: ConnectionForm): AuthInput | undefined {
  const secret = (name: string) => form.secrets[name] ?? ""
  switch (form.authType) {
    case "none":
      return { type: "none" }
    case "bearer":
      return { type: "bearer", token: secret("auth.token") }
    case "basic":
      return { type: "basic", username: form.username, password: secret("auth.password") }
    case "signature":
      return { type: "signature", api_key: secret("auth.api_key"), secret_key: secret("auth.secret_key") }
    case "headers":
      return { type: "headers", headers: headerValues(form.headers) }
    case "function":
      return undefined
  }
}

function headerValues(headers: ConnectionForm["headers"]): Record<string, string> {
  return Object.fromEntries(
    headers.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value])
  )
}

function headerNames(secrets: CryptoSettings["secrets"]): string[] {
  return Object.keys(secrets)
    .filter((name) => name.startsWith(HEADER))
    .map((name) => name.slice(HEADER.length))
}
