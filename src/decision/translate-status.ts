import type { PaymentStatus } from "../gateway"
import { PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils"

/**
 * Medusa's session status for what the gateway says. Only PAID is captured; an end word waits like UNPAID.
 * `authorized`, `error` and `canceled` are never returned: HAZARDS in core make each of them lose money.
 */
export function toSessionStatus(status: PaymentStatus): PaymentSessionStatus {
  switch (status) {
    case "PAID":
      return PaymentSessionStatus.CAPTURED
    case "PENDING":
      return PaymentSessionStatus.PENDING
    case "UNPAID":
    case "UNKNOWN":
      return PaymentSessionStatus.REQUIRES_MORE
  }
}

/** The webhook action for a request that is not to be captured now, even if PAID. Core acts on none of them. */
export function toWaitingAction(status: PaymentStatus): PaymentActions {
  return status === "PENDING" || status === "PAID" ? PaymentActions.PENDING : PaymentActions.REQUIRES_MORE
}
