import { isFinalStatus, type CryptoPaymentStatus } from "../index"

/**
 * What a returned payer is shown.
 *
 * - `waiting`: for the confirmation
 * - `paid`
 * - `unpaid`: nothing has arrived so far; trying again is right
 * - `failed`: the last attempt did not go through; trying again is right
 * - `delayed`: it takes longer than usual
 * - `review`: the payment was received, the shop is checking
 * - `refunded`: the payment was received and sent back; there is nothing to try again
 * - `unknown`: there is no such payment
 */
export type CryptoPaymentView =
  | "waiting"
  | "paid"
  | "unpaid"
  | "failed"
  | "delayed"
  | "review"
  | "refunded"
  | "unknown"

export interface ViewFacts {
  /** What the shop said last. */
  status: CryptoPaymentStatus | undefined
  /** Whether the page is done asking. */
  hasEnded: boolean
  /** Whether the payer has been waiting longer than most do. */
  isSlow: boolean
  /** Whether the gateway sent the payer to the page for failed payments. Changes when something is said, never what. */
  hintsFailure: boolean
}

export function toView({ status: said, hasEnded, isSlow, hintsFailure }: ViewFacts): CryptoPaymentView {
  const patience = isSlow || hasEnded ? "delayed" : "waiting"
  const { status, orderId, review, refunded, attemptFailed } = said ?? {}
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
  if (status === "awaiting_payment") {
    return hintsFailure || patience === "delayed" ? "unpaid" : "waiting"
  }
  return isFinal ? (status === "paid" ? "paid" : "unpaid") : patience
}
