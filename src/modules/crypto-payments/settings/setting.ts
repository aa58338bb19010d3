import { AUTH_TYPES, type AuthType } from "../../../gateway/auth-types"
import { CURRENCY_SYMBOLS, type CurrencySymbol } from "../../../gateway/currencies"
import type { Secret } from "./encryption-keys"

export const CURRENCIES = CURRENCY_SYMBOLS.map((symbol) => symbol.toLowerCase() as Lowercase<CurrencySymbol>)

/** Decimal strings with two decimals. A currency without an amount is absent. */
export type AmountPerCurrency = Partial<Record<(typeof CURRENCIES)[number], string>>

/** The settings that are no secrets, by name. Null: nothing is given, and there is no default. */
export interface SettingValues {
  base_url: string | null
  success_url: string | null
  failed_url: string | null
  order_placement: "after_payment" | "before_payment"
  unpaid_order_ttl_minutes: number | null
  remind_after_minutes: number | null
  timeout_ms: number
  payment_link_hosts: string[] | null
  reuse_open_links: boolean
  show_items: boolean
  min_amount: AmountPerCurrency | null
  max_amount: AmountPerCurrency | null
  public_url: string | null
  /** `function`: set in code, in medusa-config. */
  auth_type: AuthType | "function"
  auth_username: string | null
  /** Names of a signature's headers, where they differ from the defaults. */
  auth_header_names: Partial<Record<"api_key" | "timestamp" | "signature", string | undefined>> | null
}

export type SettingName = keyof SettingValues
/** The settings that a form of the admin names one by one. */
export type FormSetting = Exclude<SettingName, "public_url" | `auth_${string}`>

/** How a setting is checked, shown and asked for. */
export interface Setting {
  kind: "gateway" | "page" | "store" | "text" | "number" | "hosts" | "switch" | "amounts" | "choice" | "names"
  /** The value when nothing is given; else null. */
  preset?: SettingValues[SettingName]
  /** Given only in medusa-config, or as a part of `auth`; else in medusa-config or in a form. */
  given?: "config" | "auth"
  /** Limits of a number. */
  range?: [number, number]
  choices?: string[]
  /** Of amounts. */
  isAboveZero?: true
  /** For `medusa-plugin.json`. */
  description?: string
}

/**
 * The one list of settings: medusa-config's options, the fields of the admin API, the values that are stored and in
 * force, and the forms of the admin are made from it. The secrets of `auth` are in `gateway/auth-types.ts`.
 */
export const SETTINGS: Record<SettingName, Setting> = {
  base_url: {
    kind: "gateway",
    description: "Gateway address with its version prefix; https, or http on loopback",
  },
  success_url: {
    kind: "page",
    description: "Where the payer returns after paying; may hold {session_id} and {country_code}",
  },
  failed_url: {
    kind: "page",
    description: "Where the payer returns after not paying; may hold {session_id} and {country_code}",
  },
  order_placement: {
    kind: "choice",
    choices: ["after_payment", "before_payment"],
    preset: "after_payment",
    description: "Whether the order is placed once paid, or first and unpaid",
  },
  unpaid_order_ttl_minutes: {
    kind: "number",
    range: [1, 525_600],
    description:
      "With before_payment: cancel unpaid orders after this many minutes; a storefront can prolong it to twice that",
  },
  remind_after_minutes: {
    kind: "number",
    range: [1, 525_600],
    description:
      "Emit crypto_payment.awaiting_payment once for a link that is unpaid after this many minutes; else never",
  },
  timeout_ms: {
    kind: "number",
    range: [500, 25_000],
    preset: 8000,
    description: "Deadline of one gateway call in milliseconds, below core's 30 s cart lock",
  },
  payment_link_hosts: {
    kind: "hosts",
    description: "Hosts a payment link may point to; else any https host",
  },
  reuse_open_links: {
    kind: "switch",
    preset: true,
    description: "Whether the open link of the same collection, amount, currency and payer is used again",
  },
  show_items: {
    kind: "switch",
    preset: false,
    description: "Whether the pay page of an order lists its items with their sums",
  },
  min_amount: { kind: "amounts", description: 'Smallest amount of a cart, per currency: { "usd": "5.00" }' },
  max_amount: {
    kind: "amounts",
    isAboveZero: true,
    description: 'Largest amount of a cart, per currency: { "usd": "10000.00" }',
  },
  public_url: { kind: "store", given: "config", description: "The store's public address, for its webhook" },
  auth_type: { kind: "choice", given: "auth", choices: Object.keys(AUTH_TYPES), preset: "none" },
  auth_username: { kind: "text", given: "auth" },
  auth_header_names: { kind: "names", given: "auth" },
}

export const ALL_SETTINGS = Object.entries(SETTINGS) as [SettingName, Setting][]

/** Undefined for a secret. */
export const settingOf = (name: string): Setting | undefined => SETTINGS[name as SettingName]

export const DEFAULTS = Object.fromEntries(
  ALL_SETTINGS.map(([name, { preset = null }]) => [name, preset])
) as unknown as SettingValues

/** What one source gives: medusa-config, or what is saved. A value that is not given is absent. */
export interface GivenSettings {
  values: Partial<SettingValues>
  /** By name, the current one first. A header that is only named has no value. */
  secrets: Record<string, Secret[]>
}
