import type { AuthType } from "../../gateway/auth-types"
import type { CryptoSettings, SettingsInput, SettingValues } from "../../http-contract"
import { latinDigits } from "../../modules/crypto-payments/latin-digits"
import * as naming from "../../modules/crypto-payments/settings/names"
import { ALL_SETTINGS, settingOf } from "../../modules/crypto-payments/settings/setting"
import { t } from "../shared/words"

export type Part = "connection" | "checkout"

/** Settings that shoppers notice, in the order of the form. */
const CHECKOUT_NAMES = ALL_SETTINGS.flatMap(([name, { given }]) =>
  given !== undefined || name === "base_url" || name === "timeout_ms" ? [] : name
)

export const kindOf = (name: string) =>
  settingOf(name)?.kind ?? (name === "auth.headers" ? "headers" : "secret")

/** Whether a form's field can take a secret that medusa-config does not give. */
export const takesSecret = (name: string, { secrets }: CryptoSettings): boolean =>
  ["secret", "headers"].includes(kindOf(name)) && !secrets[name]?.locked

/** What a part of the page shows; with what was typed, the fields of its form. */
export function namesOf(part: Part, { fields, secrets }: CryptoSettings, typed?: Typed): string[] {
  if (part === "checkout") {
    return CHECKOUT_NAMES
  }
  const headers = naming.headersAmong(secrets).map(({ name }) => name)
  const ofAuth = authNames(typed ? typed["auth_type"] : fields.auth_type.value)
  const shown = ofAuth.flatMap((name) => (!typed && name === "auth.headers" ? headers : name))
  return ["base_url", "secret_key", "auth_type", ...shown, "timeout_ms"]
}

export function settingName(name: string): string {
  const header = naming.headerOfSecret(name)
  return header === undefined ? t(`settings.fields.${name}`) : t("settings.fields.header", { name: header })
}

export const settingNames = (names: string[]): string => names.map(settingName).join(t("common.comma"))

/** The format of a setting, or what a choice needs; empty if no hint is needed. */
export function settingHint(name: string, value = ""): string {
  const field = ["success_url", "failed_url"].includes(name) ? "return_url" : name
  const hint = t(`settings.fields.${field}_hint`, { defaultValue: "" })
  // Only a choice's value may become part of a key: any other field may contain a secret.
  const isChoice = kindOf(name) === "choice"
  return (isChoice && t(`settings.choices.${name}.${value}_hint`, { defaultValue: "" })) || hint
}

/** A header of the merchant's own; an empty value keeps the stored one of that name. */
export type TypedHeader = { name: string; value: string }

export type SumByCurrency = Partial<Record<string, string>>

export type TypedValue = string | boolean | TypedHeader[] | SumByCurrency

/** A form's fields by name. A secret is absent until it is typed: stored secrets are never sent to the browser. */
export type Typed = Partial<Record<string, TypedValue>>

export const textOf = (typed: Typed[string]) => (typeof typed === "string" ? typed : "")

export const typedHeaders = (typed: Typed) => (typed["auth.headers"] ?? []) as TypedHeader[]

/** The first values of a form: the settings in force. */
export function typedFrom({ fields, secrets }: CryptoSettings): Typed {
  const typed = (value: SettingValues[keyof SettingValues]) =>
    typeof value === "number" ? String(value) : Array.isArray(value) ? value.join(", ") : (value ?? "")
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, typed(value)])),
    "auth.headers": naming.headersAmong(secrets).map(({ header }) => ({ name: header, value: "" })),
  }
}

export const isShown = (name: string, typed: Typed): boolean =>
  name !== "unpaid_order_ttl_minutes" || typed["order_placement"] === "before_payment"

/** Only changed settings: omitted ones stay as they are, and an emptied field returns to its default. */
export function changedSettings(typed: Typed, settings: CryptoSettings): SettingsInput {
  const before = typedFrom(settings)
  const isChanged = (name: string) =>
    JSON.stringify(valueOf(name, typed[name])) !== JSON.stringify(valueOf(name, before[name]))
  const plain = ["base_url", "timeout_ms", ...CHECKOUT_NAMES].filter(
    (name) => isShown(name, typed) && isChanged(name)
  )
  const { secret_key, auth_type: type } = typed
  const isAuthChanged = ["auth_type", ...authNames(type)].some(isChanged)
  return {
    ...(Object.fromEntries(plain.map((name) => [name, valueOf(name, typed[name])])) as SettingsInput),
    ...(secret_key && { secret_key: textOf(secret_key) }),
    ...(isAuthChanged && type !== "function" && { auth: { type: type as AuthType, ...authInput(typed) } }),
  }
}

function authInput(typed: Typed): Record<string, unknown> {
  const headers = typedHeaders(typed).map(({ name, value }) => [name.trim(), value])
  const given = Object.fromEntries(headers.filter(([name]) => name !== "")) as Record<string, string>
  const valueOfPart = ({ kind, name }: naming.AuthPart) =>
    kind === "secret_headers" ? given : (typed[name] ?? "")
  return Object.fromEntries(askedParts(typed["auth_type"]).map((part) => [part.field, valueOfPart(part)]))
}

/** The form does not ask for the names of a signature's headers. */
const askedParts = (type: unknown) => naming.authParts(type).filter(({ kind }) => kind !== "header_names")

const authNames = (type: unknown) => askedParts(type).map(({ name }) => name)

/** The value in the API's form. What is none of its kind stays as it was typed, and the API refuses it. */
function valueOf(name: string, typed: Typed[string] = "") {
  if (typeof typed === "object" && !Array.isArray(typed)) {
    const sums = Object.entries(typed).map(([currency, sum = ""]) => [currency, latinDigits(sum.trim())])
    const given = sums.filter(([, sum]) => sum !== "")
    return given.length === 0 ? null : (Object.fromEntries(given) as SumByCurrency)
  }
  if (typeof typed !== "string") {
    return typed
  }
  const kind = kindOf(name)
  // Not at a blank: "http://foo bar" is no domain, and the API says so.
  const items = typed.split(/[\n,،]/).flatMap((item) => item.trim() || [])
  const hosts = items.length === 0 ? null : items
  return kind === "number" ? numberOf(typed) : kind === "hosts" ? hosts : typed.trim() || null
}

/** In Latin, Arabic or Persian digits. Longer ones are not exact as numbers. */
function numberOf(typed: string): number | string | null {
  const text = latinDigits(typed.trim())
  return text === "" ? null : /^\d{1,15}$/.test(text) ? Number(text) : text
}
