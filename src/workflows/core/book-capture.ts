import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { dropInterruptedRefunds } from "./drop-interrupted-refunds"
import { recomputeCollectionSums } from "./recompute-collection-sums"
import { finishOrderLinks } from "./finish-order-links"

/**
 * Finishes what core was killed in the middle of, once it had given the order its cart: the other links, and the booking
 * of the capture. Running core again cannot: with the cart's link it skips everything. Booking twice is prevented by
 * looking first, under the row's lease.
 */
export async function bookCapture(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  { order_id, payment_id, payment_captured }: SettlementFacts
): Promise<void> {
  if (order_id === null || payment_id === null) {
    return
  }
  const [capture] = await container.resolve(Modules.PAYMENT).listCaptures({ payment_id: [payment_id] })
  if (capture === undefined) {
    return
  }
  await finishOrderLinks(container, row, order_id)
  const orders = container.resolve<IOrderModuleService>(Modules.ORDER)
  const reference = { reference: "capture", reference_id: capture.id }
  const known = await orders.listOrderTransactions({ order_id, ...reference })
  if (known.length === 0) {
    await orders.addOrderTransactions({
      order_id,
      amount: payment_captured,
      currency_code: row.currency_code,
      ...reference,
    })
  }
  if (row.payment_collection_id !== null) {
    // Core sums up after it has written the capture: it may have died before that as well.
    await dropInterruptedRefunds(container, ledger, payment_id)
    await recomputeCollectionSums(container, row.payment_collection_id)
  }
}
