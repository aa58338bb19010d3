import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { dropInterruptedRefunds } from "./drop-interrupted-refunds"
import { recomputeCollectionSums } from "./recompute-collection-sums"

/**
 * Finishes what core was killed in the middle of: gives the order its cart, and books the capture on it. Running core
 * again cannot: with the cart's link it skips everything, and without it it would place a second order. Booking twice
 * is prevented by looking first, under the row's lease.
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
  if (row.cart_id !== null) {
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.ORDER]: { order_id },
      [Modules.CART]: { cart_id: row.cart_id },
    })
  }
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
