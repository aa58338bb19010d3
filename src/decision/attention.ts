import type { DecidedRow } from "./facts"

/** Why a payment request needs manual review. `docs/cases.md` says what to do about each reason. */
export const ATTENTION_REASONS = [
  "paid_without_order",
  "order_underpaid",
  "order_overpaid",
  "orphan_paid",
  "duplicate_payment",
  "paid_on_canceled",
  "order_not_canceled",
  "partly_paid",
  "settle_fails",
  "amount_mismatch",
  "provider_missing",
  "gateway_refuses",
  "gateway_unreadable",
  "gateway_unclear",
] as const

export type AttentionReason = (typeof ATTENTION_REASONS)[number]

/** A case is opened when more settles begin without ending. A database that restarts costs a few. */
const MOST_UNENDED_SETTLES = 10
/** The same limit for a payment that was paid an hour ago. */
export const MOST_UNENDED_LATE = 3
const LATE_MS = 60 * 60_000

/**
 * Whether an admin user has closed a case about money that was received. The money may have been sent back by hand: it
 * is captured, and its order is placed, only on request.
 */
export function isResolvedByAdmin({ paid_at, attention_since, attention_resolved_at }: DecidedRow): boolean {
  return (
    paid_at !== null &&
    attention_resolved_at !== null &&
    (attention_since ?? attention_resolved_at) >= paid_at
  )
}

/** Cases about a gateway that cannot be read, or whose answers cannot be understood. */
export const OF_UNREAD_GATEWAY: readonly (string | null)[] = [
  "provider_missing",
  "gateway_refuses",
  "gateway_unreadable",
  "gateway_unclear",
] satisfies AttentionReason[]

/** Cases about a link that was not paid at that time. They say nothing about money that is received later. */
const OF_UNPAID_LINKS = ["order_not_canceled", "partly_paid", ...OF_UNREAD_GATEWAY]

/** Whether a case was opened before the payment: then it says nothing about the money. */
export function isOfBeforePayment({ attention_since, paid_at }: DecidedRow): boolean {
  return paid_at !== null && (attention_since === null || attention_since < paid_at)
}

/**
 * Whether the settles of a row fail, hang or die with their process every time, because of a fault of the plugin or an
 * unexpected database. Without a case nobody would hear of the payment. A settle that ends closes the case.
 *
 * @param row with the settle that begins now in `settles_begun`
 * @returns false while an outage may be the cause, and when the row has a case already
 */
export function isSettlingStuck(row: DecidedRow, now: Date): boolean {
  const { settles_begun, paid_at, state, attention_reason } = row
  const unended = settles_begun - 1
  const mayBeUntold = OF_UNPAID_LINKS.includes(attention_reason) || attention_reason === "settle_fails"
  const isUntold = attention_reason === null || (mayBeUntold && isOfBeforePayment(row))
  const isLate = paid_at !== null && now.getTime() - paid_at.getTime() >= LATE_MS
  return state !== "refunded" && isUntold && unended >= (isLate ? MOST_UNENDED_LATE : MOST_UNENDED_SETTLES)
}
