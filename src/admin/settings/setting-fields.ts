import { AUTH_TYPES } from "../../gateway/auth-types"
import type { CryptoSettings, SavedSetting, SettingsInput, SettingValues } from "../../http-contract"
import { headerOfSecret } from "../../modules/crypto-payments/settings/names"
import { latinDigits } from "../shared/figures"
import type { Words } from "../shared/words"

/** How a setting is shown and typed. */
export interface SettingField {
  kind: "text" | "number" | "list" | "choice" | "switch" | "secret"
  /** The key of the words that say what it has to look like. */
  hint?: string
  /** Only while another setting has this value. */
  shownWith?: { name: keyof SettingValues; value: string }
  choices?: string[]
  /** The key of the words for a choice. */
  choiceWords?: (value: string) => string
  /** The key of the words that say what a choice needs. */
  choiceHints?: Partial<Record<string, string>>
}

const RETURN_URL: SettingField = { kind: "text", hint: "settings.fields.return_url_hint" }

/** Every setting by its name. What is not here is a secret. */
const FIELDS: Partial<Record<string, SettingField>> = {
  base_url: { kind: "text", hint: "settings.fields.base_url_hint" },
  secret_key: { kind: "secret", hint: "settings.fields.secret_key_hint" },
  auth_type: {
    kind: "choice",
    hint: "settings.fields.auth_type_hint",
    choices: Object.keys(AUTH_TYPES),
    choiceWords: (value) => `settings.authType.${value}`,
  },
  auth_username: { kind: "text", shownWith: { name: "auth_type", value: "basic" } },
  "auth.secret_key": { kind: "secret", hint: "settings.fields.auth.secret_key_hint" },
  timeout_ms: { kind: "number", hint: "settings.fields.timeout_ms_hint" },
  success_url: RETURN_URL,
  failed_url: RETURN_URL,
  order_placement: {
    kind: "choice",
    choices: ["after_payment", "before_payment"],
    choiceWords: (value) => `settings.placement.${value}`,
    choiceHints: { before_payment: "settings.placement.before_payment_hint" },
  },
  unpaid_order_ttl_minutes: {
    kind: "number",
    hint: "settings.fields.unpaid_order_ttl_minutes_hint",
    shownWith: { name: "order_placement", value: "before_payment" },
  },
  payment_link_hosts: { kind: "list", hint: "settings.fields.payment_link_hosts_hint" },
  reuse_open_links: { kind: "switch" },
} satisfies Record<SavedSetting | "auth_type" | "auth_username", SettingField> & Record<string, SettingField>

/** What shoppers notice, in the order of its form. */
export const CHECKOUT = [
  "success_url",
  "failed_url",
  "order_placement",
  "unpaid_order_ttl_minutes",
  "payment_link_hosts",
  "reuse_open_links",
] as const satisfies SavedSetting[]

/** How the store reaches the gateway, in the order of its form. @param authSecrets names of its secrets */
export function connectionFields(authSecrets: string[]): string[] {
  return ["base_url", "secret_key", "auth_type", "auth_username", ...authSecrets, "timeout_ms"]
}

export function settingField(name: string): SettingField {
  return FIELDS[name] ?? { kind: "secret" }
}

/** A setting by the API's name for it (`auth.token`, `auth.headers.X-Key`), in words. */
export function settingName(name: string, t: Words): string {
  const header = headerOfSecret(name)
  return header === undefined ? t(`settings.fields.${name}`) : t("settings.fields.header", { name: header })
}

/** Several of them, as part of a sentence. */
export function settingNames(names: string[], t: Words): string {
  return names.map((name) => settingName(name, t)).join(t("common.comma"))
}

/** What a form's fields contain, by name. A secret is not there until it is typed: what is stored never comes back. */
export type Typed = Partial<Record<string, string | boolean>>

/** The settings in force, as a form begins with them. */
export function typedFrom({ fields }: CryptoSettings): Typed {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { value }]) => [
      name,
      Array.isArray(value)
        ? value.join(", ")
        : typeof value === "boolean"
          ? value
          : typeof value === "object"
            ? ""
            : String(value),
    ])
  )
}

export function isShown(name: string, typed: Typed): boolean {
  const { shownWith } = settingField(name)
  return shownWith === undefined || typed[shownWith.name] === shownWith.value
}

/** Only what was changed: what is left out stays as it is, and an emptied field goes back to its default. */
export function changedSettings(
  names: readonly SavedSetting[],
  typed: Typed,
  settings: CryptoSettings
): SettingsInput {
  const before = typedFrom(settings)
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name, typed[name])
      return trimmed(typed[name]) === before[name] || value === undefined ? [] : [[name, value]]
    })
  )
}

/** Names of the shown fields whose value has to be a whole number and is none: sent, it would remove the setting. */
export function notWhole(names: readonly string[], typed: Typed): string[] {
  return names.filter(
    (name) =>
      settingField(name).kind === "number" && isShown(name, typed) && valueOf(name, typed[name]) === undefined
  )
}

const trimmed = (typed: Typed[string]) => (typeof typed === "string" ? typed.trim() : typed)

/** What was typed as the API takes it; undefined for what is no value of this kind. */
function valueOf(name: string, typed: Typed[string] = "") {
  if (typeof typed === "boolean") {
    return typed
  }
  switch (settingField(name).kind) {
    case "number":
      return wholeNumber(typed)
    case "list": {
      const items = typed.split(/[\s,،]+/).filter((item) => item !== "")
      return items.length === 0 ? null : items
    }
    default:
      return typed.trim() || null
  }
}

/**
 * The whole number that somebody typed, in Latin, Arabic or Persian digits: null for an empty field, undefined for
 * what is none.
 */
export function wholeNumber(typed: string): number | null | undefined {
  const text = latinDigits(typed.trim())
  if (text === "") {
    return null
  }
  // Longer ones are no exact numbers any more.
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
