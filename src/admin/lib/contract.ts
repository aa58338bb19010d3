/** What the admin API answers; `docs/admin-api.md` is the contract these types follow. */

export type RequestState = "creating" | "open" | "superseded" | "closed" | "paid" | "captured" | "refunded"

export const REQUEST_STATES: RequestState[] = [
  "creating",
  "open",
  "superseded",
  "closed",
  "paid",
  "captured",
  "refunded",
]

export type AttentionReason =
  | "paid_without_order"
  | "order_underpaid"
  | "order_overpaid"
  | "orphan_paid"
  | "duplicate_payment"
  | "paid_on_canceled"
  | "order_not_canceled"
  | "amount_mismatch"
  | "provider_missing"
  | "gateway_refuses"
  | "gateway_unreadable"

export const ATTENTION_REASONS: AttentionReason[] = [
  "paid_without_order",
  "order_underpaid",
  "order_overpaid",
  "orphan_paid",
  "duplicate_payment",
  "paid_on_canceled",
  "order_not_canceled",
  "amount_mismatch",
  "provider_missing",
  "gateway_refuses",
  "gateway_unreadable",
]

/** What keeps Medusa from cancelling an unpaid order: a fulfillment, or the type of its open change. */
export const ORDER_OBSTACLES: readonly string[] = [
  "edit",
  "return_request",
  "return_receive",
  "exchange",
  "claim",
  "fulfillment",
]

export interface CryptoPayment {
  id: string
  provider_id: string
  gateway_origin: string
  payment_request_id: string | null
  payment_link: string | null
  session_id: string
  cart_id: string | null
  /** The order it paid for, or that stands unpaid. */
  order_id: string | null
  order_display_id: number | null
  amount: string
  currency_code: string
  state: RequestState
  gateway_status: string | null
  gateway_amount: string | null
  gateway_currency_symbol: string | null
  payment_currency: string | null
  payment_amount: string | null
  receiving_amount: string | null
  fee_amount: string | null
  fee_paid_by: string | null
  ref_id: string | null
  refunded_amount: string
  paid_at: string | null
  captured_at: string | null
  settled_at: string | null
  attention_reason: AttentionReason | null
  attention_since: string | null
  attention_resolved_at: string | null
  attention_note: string | null
  /** What the last case is about beyond its reason, such as `obstacle` or `paid_by`. */
  attention_detail: Record<string, string | null> | null
  attention_amount: string | null
  failure: "refused" | "unreadable" | null
  failing_since: string | null
  last_checked_at: string | null
  last_webhook_at: string | null
  next_check_at: string | null
  created_at: string
}

export interface CryptoPaymentList {
  crypto_payments: CryptoPayment[]
  count: number
  limit: number
  offset: number
}

export interface Activity {
  id: string
  type: string
  detail: Record<string, string | null> | null
  created_at: string
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

export interface GatewayRecord {
  payment_request_id: string
  payment_link: string | null
  payment_status: string
  currency_symbol: string
  amount: string
  payment_currency: string | null
  payment_amount: string | null
  receiving_amount: string | null
  fee_amount: string | null
  fee_paid_by: string | null
  paid_amount: string | null
  ref_id: string | null
  note: string | null
}

export type Problem =
  | "unreachable"
  | "refused"
  | "unknown_to_gateway"
  | "not_this_api"
  | "timeout"
  | "not_configured"
  | "provider_missing"

export interface CryptoPaymentDetail extends CryptoPayment {
  activities: Activity[]
  refunds: Refund[]
  refundable_amount: string | null
  order: { id: string; display_id: number | null; status: string; canceled_at: string | null } | null
  cart: { id: string; completed_at: string | null } | null
  gateway_record: GatewayRecord | null
  gateway_problem: { problem: Problem; message: string } | null
}

export interface Balance {
  asset: string
  value: string
  locked: string
}

export interface SettlementTotals {
  currency_code: string
  count: number
  gross: string
  fees: string
  buyer_fees: string
  net: string
  refund_count: number
  refunded: string
}

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

export type ListFinding =
  | "check_requested"
  | "adopted"
  | "inserted"
  | "creation_under_way"
  | "unknown_session"
  | "not_listed"
  | "unreadable"

export interface ReportRow {
  id: string | null
  payment_request_id: string
  finding: ListFinding
  listed_status: string | null
  /** Of `unreadable`: the gateway's names of the fields that are wrong. */
  fields?: string[]
}

export interface ListReport {
  provider_id: string
  started_at: string
  finished_at: string
  complete: boolean
  incomplete_because: { page: number | null; reason: string }[]
  /** `unreadable` is missing in a report of an earlier version. */
  counts: Record<Exclude<ListFinding, "unreadable">, number> & {
    unreadable?: number
    calls: number
    listed: number
    known: number
    others: number
    paid_and_unknown: number
  }
  rows: ReportRow[]
  rows_left_out: number
}

export interface AuditFinding {
  rule: string
  /** The server's own English sentence. */
  message: string
  request_ids: string[]
  order_ids: string[]
  /** Of `provider_missing` only. */
  provider_id?: string
}

export interface AuditReport {
  ran_at: string
  duration_ms: number
  checked: { payments: number; captures: number; refunds: number }
  findings: AuditFinding[]
  /** How many there are, those that are not shown among them. */
  found: number
  rules: string[]
  incomplete: string[]
}
