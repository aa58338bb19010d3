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
const UNENDED_PATIENCE_MS = 60 * 60_000

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
 * Whether the settles of a row fail, hang or die with their process each time, so that no decision is made: because of a
 * fault of the plugin, or because the store's database is not as it expects. Nobody would hear of the payment. A settle
 * that ends closes the case.
 *
 * @param row with the settle that begins now in `settles_begun`
 * @returns false while that may be an outage, and where a case tells of the money already
 */
export function isSettlingStuck(
  row: { settles_begun: number; paid_at: Date | null; state: string; attention_reason: string | null },
  now: Date
): boolean {
  const unended = row.settles_begun - 1
  const isUntold = row.attention_reason === null || OF_UNPAID_LINKS.includes(row.attention_reason)
  const isPaidForLong = row.paid_at !== null && now.getTime() - row.paid_at.getTime() >= UNENDED_PATIENCE_MS
  const isLong = unended >= MOST_UNENDED_SETTLES || (unended > 0 && isPaidForLong)
  return row.state !== "refunded" && isUntold && isLong
}
