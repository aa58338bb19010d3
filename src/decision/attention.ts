/**
 * Why a person must look at a payment request. The list is closed; `docs/operations.md` says what to do about each.
 */
export const ATTENTION_REASONS = [
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
] as const

export type AttentionReason = (typeof ATTENTION_REASONS)[number]
