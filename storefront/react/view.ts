import { isFinalStatus, type CryptoPaymentStatus } from "../index"

/**
 * What a returned payer is shown.
 *
 * - `waiting`: for the confirmation
 * - `paid`
 * - `unpaid`: no payment so far; the payer can try again
 * - `partial`: a part of the payment has arrived; the rest is to be paid on the same page
 * - `failed`: the last attempt did not go through; the payer can try again
 * - `delayed`: it takes longer than usual
 * - `review`: a payment or a part of it was received, and the shop is reviewing it
 * - `refunded`: the payment was received and sent back
 * - `canceled`: the order is cancelled and needs no payment
 * - `unknown`: there is no such payment, or the store refuses to show it
 */
export type CryptoPaymentView =
  | "waiting"
  | "paid"
  | "unpaid"
  | "partial"
  | "failed"
  | "delayed"
  | "review"
  | "refunded"
  | "canceled"
  | "unknown"

export interface ViewFacts {
  /** The last answer. */
  status: CryptoPaymentStatus | undefined
  /** Whether the page has stopped asking. */
  hasEnded: boolean
  /** Whether the payer has been waiting longer than most do. */
  isSlow: boolean
  /** Whether the gateway sent the payer to the page for failed payments. Changes only when something is shown. */
  hintsFailure: boolean
}

export function toView({ status: said, hasEnded, isSlow, hintsFailure }: ViewFacts): CryptoPaymentView {
  const isLate = isSlow || hasEnded
  const patience = isLate ? "delayed" : "waiting"
  const { status, orderId, review, refunded, attemptFailed, partArrived, orderCanceled } = said ?? {}
  const isFinal = said !== undefined && isFinalStatus(said)
  if (status === "unknown" || (status === "paid" && orderId)) {
    return status
  }
  if (refunded || review) {
    return refunded ? "refunded" : "review"
  }
  if (attemptFailed && status === "failed") {
    return "failed"
  }
  if (partArrived) {
    return "partial"
  }
  if (status === "awaiting_payment") {
    return hintsFailure || isLate ? "unpaid" : "waiting"
  }
  if (orderCanceled && (isFinal || isLate)) {
    return "canceled"
  }
  return isFinal ? (status === "paid" ? "paid" : "unpaid") : patience
}
