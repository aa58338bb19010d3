import type { AuthType } from "../../../gateway"
import type { AmountPerCurrency } from "./amount-limits"

/** The settings that are not secret, with their defaults. Null: no value, and no default. */
export const DEFAULTS = {
  base_url: null as string | null,
  success_url: null as string | null,
  failed_url: null as string | null,
  order_placement: "after_payment" as "after_payment" | "before_payment",
  unpaid_order_ttl_minutes: null as number | null,
  timeout_ms: 8000,
  payment_link_hosts: null as string[] | null,
  reuse_open_links: true,
  min_amount: null as AmountPerCurrency | null,
  max_amount: null as AmountPerCurrency | null,
  /** Only medusa-config sets it. */
  public_url: null as string | null,
  /** `function`: set in code, in medusa-config. */
  auth_type: "none" as AuthType | "function",
  auth_username: null as string | null,
  /** Names of a signature's headers, where they differ from the defaults. */
  auth_header_names: null as Partial<
    Record<"api_key" | "timestamp" | "signature", string | undefined>
  > | null,
}

export type SettingValues = typeof DEFAULTS

/** Settings that a form names one by one; those of the authentication are in its `auth`. */
export type SavedSetting = Exclude<keyof SettingValues, "public_url" | `auth_${string}`>

/** A type of authentication, and what that type takes. */
export interface AuthInput {
  type: AuthType
  [field: string]: unknown
}

/** Omitted settings stay as they are; null removes what is stored. */
export type SettingsInput = { [Name in SavedSetting]?: SettingValues[Name] | null } & {
  auth?: AuthInput | null
  secret_key?: string | null
  former_secret_keys?: "keep" | "drop"
}

export type SaveSettings = SettingsInput & {
  version: number
  confirm_origin_change?: boolean
  same_account?: boolean
  discard_unreadable_secrets?: boolean
}
