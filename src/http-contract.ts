/**
 * What the admin's routes take and answer, as JSON: times are ISO strings, amounts decimal strings in major units.
 * Types only, for the routes (`BeforeJson`) and the admin's pages. `docs/admin-api.md` describes them.
 */

import type { AttentionReason } from "./decision/attention"
import type { NotAsked, ReadFailure } from "./decision/read-failure"
import type { AuthType } from "./gateway/auth-types"
import type { GatewayProblem, Problem } from "./modules/crypto-payments/gateway-problem"
import type { RequestState } from "./modules/crypto-payments/models/crypto-payment-request"
import type { ListReport, ListReportRow } from "./workflows/list-report"

/** What a route may pass to `res.json` for an answer of type `Json`: a `Date` becomes its ISO string. */
export type BeforeJson<Json> = string extends Json
  ? Json | Date
  : Json extends string | number | boolean | null | undefined
    ? Json
    : { [Field in keyof Json]: BeforeJson<Json[Field]> }

export type { AttentionReason, ListReport, Problem, ListReportRow as ReportRow, RequestState }

/** Display data of the gateway's record. */
export interface GatewayDisplayData {
  payment_link: string | null
  payment_currency: string | null
  payment_amount: string | null
  receiving_amount: string | null
  fee_amount: string | null
  fee_paid_by: string | null
  ref_id: string | null
}

export interface CryptoPayment extends GatewayDisplayData {
  id: string
  provider_id: string
  gateway_origin: string
  payment_request_id: string | null
  session_id: string
  cart_id: string | null
  /** The order it paid for, or the unpaid order it is for. */
  order_id: string | null
  order_display_id: number | null
  amount: string
  currency_code: string
  state: RequestState
  gateway_status: string | null
  gateway_amount: string | null
  gateway_currency_symbol: string | null
  refunded_amount: string
  paid_at: string | null
  captured_at: string | null
  settled_at: string | null
  attention_reason: AttentionReason | null
  attention_since: string | null
  attention_resolved_at: string | null
  attention_note: string | null
  /** Further facts of the last case, such as `obstacle` or `paid_by`. */
  attention_detail: Record<string, string | null> | null
  attention_amount: string | null
  /** Null when Medusa knows nobody, and for a reader who may not see customers. */
  customer: Customer | null
  failure: ReadFailure | null
  failing_since: string | null
  last_checked_at: string | null
  last_webhook_at: string | null
  next_check_at: string | null
  created_at: string
}

/** Medusa's customer of the order, else of the cart. The plugin stores none of it. */
export interface Customer {
  /** `cus_…`; null if the order or cart has no customer, or the customer was deleted. */
  id: string | null
  name: string | null
  email: string | null
}

export interface CryptoPaymentList {
  crypto_payments: CryptoPayment[]
  count: number
  limit: number
  offset: number
  /** Only on request: sums over all rows of the filter, and all coins. */
  totals?: LedgerTotal[]
  coins?: string[]
}

export interface LedgerTotal {
  currency_code: string
  /** Rows whose requested amount is in this currency, and the sum of those amounts. */
  count: number
  amount: string
  /** Paid rows whose received amount is in this currency, the sum of those amounts, and what was refunded of it. */
  paid_count: number
  received: string
  refunded: string
}

export interface Activity {
  id: string
  type: string
  detail: Record<string, string | null> | null
  created_at: string
  /** Null for the store itself. */
  actor: { id: string; name: string | null } | null
}

export interface Refund {
  id: string
  amount: string
  reference: string
  note: string | null
  state: "registered" | "applied"
  applied_at: string | null
  created_at: string
}

export interface GatewayRecord extends GatewayDisplayData {
  payment_request_id: string
  payment_status: string
  currency_symbol: string
  amount: string
  paid_amount: string | null
  note: string | null
}

export interface CryptoPaymentDetail extends CryptoPayment {
  activities: Activity[]
  refunds: Refund[]
  refundable_amount: string | null
  /** What its order owes, if it can have a payment link. A link for a deposit asks for less. */
  owed: { amount: string; currency_code: string } | null
  order: {
    /** Null for a role without `order:read`. */
    id: string | null
    display_id: number | null
    status: string
    canceled_at: string | null
    created_at: string
  } | null
  cart: { id: string; completed_at: string | null } | null
  gateway_record: GatewayRecord | null
  gateway_problem: GatewayProblem | null
}

export interface Balance {
  asset: string
  value: string
  locked: string
}

export interface SettlementTotals {
  /** The received currency, which need not be the requested one. */
  currency_code: string
  count: number
  gross: string
  fees: string
  buyer_fees: string
  net: string
  refund_count: number
  refunded: string
  /** Of `count` and `gross`: reported as paid by the gateway, but not captured in Medusa. */
  not_captured_count: number
  not_captured: string
}

/**
 * Sums of one period, currency and coin, with two decimals or more. A week or month that was requested only in part
 * begins and ends with the requested days.
 */
export interface SettlementRow extends SettlementTotals {
  period_start: string
  period_end: string
  coin: string | null
}

export type Period = "day" | "week" | "month"

export interface Settlements {
  period: Period
  time_zone: string
  from: string
  to: string
  settlements: SettlementRow[]
  totals: SettlementTotals[]
}

export interface ReconciliationRun {
  id: string
  started_at: string
  finished_at: string | null
  outcome: "running" | "complete" | "incomplete" | "failed" | "interrupted"
  /** Of `failed`; null when the fault was the store's own. */
  problem: Problem | null
  started_by: { type: "user" | "api_key" | "schedule" | "script"; id: string | null; name: string | null }
  listed: number | null
  findings: number | null
}

export interface Reconciliation {
  report: ListReport | null
  run_id: string | null
  running_since: string | null
  runs: ReconciliationRun[]
}

export interface CheckResult {
  /** `not_asked` while another settle has the row, or when there is nothing to read. */
  gateway: "read" | Exclude<ReadFailure, NotAsked> | "not_asked"
  changed: boolean
}

export interface AuditFinding {
  rule: string
  /** The server's own English sentence. */
  message: string
  /** Rows of `crypto_payment_request`. Empty when no row has the money. */
  request_ids: string[]
  order_ids: string[]
  /** For `provider_missing`: the missing provider. */
  provider_id?: string
}

export interface AuditReport {
  /** The database's time. */
  ran_at: string
  duration_ms: number
  /** Null when the database did not count them in time. */
  checked: { payments: number | null; captures: number | null; refunds: number | null }
  /** At most a hundred of each rule. */
  findings: AuditFinding[]
  /** How many there are, including those that are not shown. */
  found: number
  /** The checked rules, including those whose query did not end in time. */
  rules: string[]
  /** Rules whose query did not end in time: their result is unknown. */
  incomplete: string[]
}

export type OrderPlacement = "after_payment" | "before_payment"

/** Decimal strings with two decimals. A currency without an amount is absent. */
export type AmountPerCurrency = Partial<Record<"aed" | "usd", string>>

/** The settings that are not secret. Null: no value, and no default. */
export interface SettingValues {
  base_url: string | null
  success_url: string | null
  failed_url: string | null
  order_placement: OrderPlacement
  unpaid_order_ttl_minutes: number | null
  timeout_ms: number
  payment_link_hosts: string[] | null
  reuse_open_links: boolean
  min_amount: AmountPerCurrency | null
  max_amount: AmountPerCurrency | null
  /** Only medusa-config sets it. */
  public_url: string | null
  /** `function`: set in code, in medusa-config. */
  auth_type: AuthType | "function"
  auth_username: string | null
  /** Names of a signature's headers, where they differ from the defaults. */
  auth_header_names: Partial<Record<"api_key" | "timestamp" | "signature", string | undefined>> | null
}

/** Settings that a form names one by one; those of the authentication are in its `auth`. */
export type SavedSetting = Exclude<keyof SettingValues, "public_url" | `auth_${string}`>

/** A setting in force and its source; medusa-config's value is locked. */
export interface Field<T> {
  value: T
  source: "config" | "stored" | "default"
  locked: boolean
}

export interface SecretField {
  is_set: boolean
  source: "config" | "stored" | null
  locked: boolean
  count?: number
  unreadable?: boolean
}

/** Why a given setting is not used. */
export type SettingsProblem =
  | "unreadable"
  | "address_changed"
  | "address_not_allowed"
  | "elsewhere"
  | "limits_crossed"

/** Whether a provider can be used, and what to do if not. */
export interface ProviderState {
  provider_id: string
  configured: boolean
  missing: string[]
  problem: string | null
  webhook_path: string
  webhook_url: string | null
  former_origins: FormerOrigin[]
}

export interface CryptoSettings extends ProviderState {
  version: number
  updated_at: string | null
  problem_code: SettingsProblem | null
  fields: { [Name in keyof SettingValues]: Field<SettingValues[Name]> }
  secrets: Record<string, SecretField | undefined>
}

/** A former gateway address with open requests whose account nobody has named. */
export interface FormerOrigin {
  origin: string
  open_requests: number
}

/** State of the key of stored secrets, with a sentence that says what to do. */
export interface EncryptionKeyState {
  state: "present" | "missing" | "malformed" | "wrong"
  message: string | null
}

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

/** The fields of the API's errors in addition to their message; see "Errors of a save" in `docs/admin-api.md`. */
export interface ErrorBody {
  type?: string
  message?: string
  code?: string
  fields?: string[]
  /** The state of the encryption key, when that is wrong. */
  state?: string
  open_requests?: number
  former_origin?: string
}

/** The settings were saved or tested, but somebody should look at this. */
export interface SettingsWarning {
  /** The gateway's last links point to hosts that are not allowed: shoppers cannot pay. */
  code: "link_hosts_not_allowed"
  message: string
  fields: string[]
  hosts: string[]
}

export type ConnectionTest = ({ ok: true; problem: null } | { ok: false; problem: Problem }) & {
  message: string
  balances_count: number | null
  duration_ms: number
}

export type ConnectionCheck = ConnectionTest & { warnings: SettingsWarning[] }

export interface WebhookCheck {
  ok: boolean
  problem:
    | "not_configured"
    | "no_public_url"
    | "unreachable"
    | "timeout"
    | "tls"
    | "redirect"
    | "no_route"
    | "wrong_secret"
    | "not_this_store"
    | "refused"
    | null
  message: string
  url: string | null
  path: string
  http_status: number | null
  duration_ms: number
}

/**
 * Why a shopper got no payment link. `gateway_refused`: the gateway refused to create the payment request, or to read an
 * open one. `link_host_not_allowed`: its payment link points to a host that is not in `paymentLinkHosts`.
 */
export type CheckoutFailureCode =
  | "not_configured"
  | "gateway_unavailable"
  | "gateway_refused"
  | "gateway_malformed"
  | "link_host_not_allowed"

export type UrlState = "ok" | "missing" | "no_placeholder" | "not_https"

export interface ProviderHealth extends ProviderState {
  /** False: it has payments here, but medusa-config does not register it. */
  registered: boolean
  last_webhook_at: string | null
  last_refused_webhook_at: string | null
  last_refused_webhook_reason:
    | "wrong_secret"
    | "value_not_text"
    | "malformed"
    | "not_configured"
    | "too_large"
    | "too_slow"
    | null
  /** When a shopper last got no payment link; null once one was created again. */
  last_checkout_failed_at: string | null
  last_checkout_failure_code: CheckoutFailureCode | null
  /** For `link_host_not_allowed`. */
  last_checkout_failure_host: string | null
  success_url: UrlState
  failed_url: UrlState
  /** Hosts of the gateway's last links that `payment_link_hosts` does not list. */
  link_hosts_not_allowed: string[]
  open: number
  overdue: number
  attention: number
}

/** The store's locking, and whether it is enough for the number of instances that the store seems to have. */
export interface LockingView {
  provider: string
  in_memory: boolean
  worker_mode: "shared" | "server" | "worker"
  redis_engines: boolean
  fits: boolean
  message: string
}

export interface Health {
  providers: ProviderHealth[]
  encryption_key: EncryptionKeyState
  encryption_key_needed: boolean
  regions: {
    id: string
    name: string
    currency_code: string
    currency_taken: boolean
    provider_ids: string[]
  }[]
  locking: LockingView
  attention: { open: number; by_reason: Partial<Record<AttentionReason, number>> }
  /** The last audit; null before the first. */
  audit: { ran_at: string; findings: number; incomplete: string[] } | null
}
