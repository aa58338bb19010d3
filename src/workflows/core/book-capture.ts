import type { MedusaContainer } from "@medusajs/framework/types"
import { isMoreThan } from "../../decision"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { alignBookings } from "./align-bookings"
import { dropInterruptedRefunds } from "./drop-interrupted-refunds"
import { recomputeCollectionSums } from "./recompute-collection-sums"
import { finishOrderLinks } from "./finish-order-links"

/**
 * Finishes what core had begun when its process died, once it had given the order its cart: the other links, and the
 * booking of the capture. Running core again cannot: with the cart's link it skips everything. Booking twice is
 * prevented by looking first, under the row's lease.
 */
export async function bookCapture(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  { order_id, payment_id, payment_captured }: SettlementFacts
): Promise<void> {
  if (order_id === null || payment_id === null || !isMoreThan(payment_captured, "0")) {
    return
  }
  await finishOrderLinks(container, row, order_id)
  await alignBookings(container, order_id, payment_id)
  if (row.payment_collection_id !== null) {
    // Core sums up after it has written the capture: it may have died before that as well.
    await dropInterruptedRefunds(container, ledger, payment_id)
    await recomputeCollectionSums(container, row.payment_collection_id)
  }
}
