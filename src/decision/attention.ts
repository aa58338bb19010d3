/**
 * Why a payment request needs manual review. The list is closed; `docs/operations.md` says what to do about each.
 */
export const ATTENTION_REASONS = [
  "paid_without_order",
  "order_underpaid",
  "order_overpaid",
  "orphan_paid",
  "duplicate_payment",
  "paid_on_canceled",
  "order_not_canceled",
  "settle_fails",
  "link_not_replaced",
  "amount_mismatch",
  "provider_missing",
  "gateway_refuses",
  "gateway_unreadable",
] as const

export type AttentionReason = (typeof ATTENTION_REASONS)[number]

/** So many settles may begin and not end before a case is opened: a database that restarts costs a few. */
const MOST_UNENDED_SETTLES = 10
/** Of a payment that was paid an hour ago. */
export const MOST_UNENDED_LATE = 3
const LATE_MS = 60 * 60_000

/** Once an admin user has closed such a case, the order is placed only on request: the money may have been sent back. */
export const LEFT_TO_PERSON: readonly (string | null)[] = [
  "paid_without_order",
  "settle_fails",
] satisfies AttentionReason[]

/** Cases of an order that nobody has paid. */
export const OF_UNPAID_ORDERS: readonly (string | null)[] = [
  "order_not_canceled",
  "link_not_replaced",
] satisfies AttentionReason[]

/** What explains nothing about money that came later: it is about the link of a time when that was not paid. */
const OF_UNPAID_LINKS: readonly (string | null)[] = [
  ...OF_UNPAID_ORDERS,
  ...(["provider_missing", "gateway_refuses", "gateway_unreadable"] satisfies AttentionReason[]),
]

/** Whether a case is of the time before the payment: it explains nothing about the money. */
export function isOfBeforePayment({
  attention_since,
  paid_at,
}: Pick<CaseOfRow, "attention_since" | "paid_at">): boolean {
  return paid_at !== null && (attention_since === null || attention_since < paid_at)
}

interface CaseOfRow {
  paid_at: Date | null
  attention_reason: string | null
  attention_since: Date | null
}

/**
 * Whether the settles of a row fail, hang or die with their process each time, so that no decision is made: because of a
 * fault of the plugin, or because the store's database is not as it expects. Nobody would hear of the payment. A settle
 * that ends closes the case.
 *
 * @param row with the settle that begins now in `settles_begun`
 * @returns false while that may be an outage, and where a case tells of the row already
 */
export function isSettlingStuck(
  row: CaseOfRow & { settles_begun: number; state: string },
  now: Date
): boolean {
  const { settles_begun, paid_at, state, attention_reason } = row
  const unended = settles_begun - 1
  const mayBeUntold = OF_UNPAID_LINKS.includes(attention_reason) || attention_reason === "settle_fails"
  const isUntold = attention_reason === null || (mayBeUntold && isOfBeforePayment(row))
  const isLate = paid_at !== null && now.getTime() - paid_at.getTime() >= LATE_MS
  return state !== "refunded" && isUntold && unended >= (isLate ? MOST_UNENDED_LATE : MOST_UNENDED_SETTLES)
}
