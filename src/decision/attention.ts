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
  "link_not_replaced",
  "amount_mismatch",
  "provider_missing",
  "gateway_refuses",
  "gateway_unreadable",
] as const

export type AttentionReason = (typeof ATTENTION_REASONS)[number]

/** How long the settles of a payment may fail before a case is opened. A database that restarts takes a minute or two. */
const FAILED_SETTLES_PATIENCE_MS = 10 * 60_000

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

/**
 * The case of a paid row whose settles do not end but fail: something in the database, or a fault of the plugin, keeps
 * any decision from being made, and money must not wait for that unseen. A settle that succeeds closes it.
 *
 * @param failingMs since when each settle has failed
 * @returns null while that may be an outage, and where a case tells of the money or a settle was done with it before
 */
export function caseOfFailedSettles(
  row: { paid_at: Date | null; settled_at: Date | null; state: string; attention_reason: string | null },
  failingMs: number
): AttentionReason | null {
  const isUnfinished = row.paid_at !== null && row.settled_at === null && row.state !== "refunded"
  const isUntold = row.attention_reason === null || OF_UNPAID_LINKS.includes(row.attention_reason)
  return isUnfinished && isUntold && failingMs >= FAILED_SETTLES_PATIENCE_MS ? "paid_without_order" : null
}
