import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { whileLocked } from "./cart-lock"

/** The next minute tries again. */
const WAIT_S = 1

/**
 * Lets a merchant mark an order as paid that was placed unpaid. Core makes its collection `awaiting`, and marks only a
 * `not_paid` one as paid. Under the lock that core uses to capture, because a capture changes the status too: only a
 * cart's collection has one, and only a cart's order is placed unpaid.
 */
export async function offerMarkAsPaid(
  container: MedusaContainer,
  { cart_id, payment_collection_id: id }: CryptoPaymentRequestRow
): Promise<void> {
  if (id === null || cart_id === null) {
    return
  }
  await whileLocked(container, cart_id, WAIT_S, async () => {
    const payments = container.resolve(Modules.PAYMENT)
    const found: { status: string; payments?: unknown[] } = await payments.retrievePaymentCollection(id, {
      relations: ["payments"],
    })
    if (found.status === "awaiting" && found.payments?.length === 0) {
      await payments.updatePaymentCollections(id, { status: PaymentCollectionStatus.NOT_PAID })
    }
  })
}
