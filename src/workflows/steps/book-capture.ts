import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { SettlementFacts } from "../../modules/crypto-payments/ledger/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/**
 * Books a capture on its order where core was killed between the two: running core again cannot, because an existing
 * order makes it skip everything. Adding it twice is prevented by looking first, under the row's lease.
 */
export async function bookCapture(
  container: MedusaContainer,
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
}
