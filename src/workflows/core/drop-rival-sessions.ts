import type { MedusaContainer, PaymentSessionDTO } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/**
 * Deletes the other live sessions of a collection that this request has paid. Core completes a cart with whichever live
 * session it reads first, so a cart with several sessions could stay paid without an order. An instance that dies while
 * it replaces a session leaves two. Core deletes them too when the payer chooses another
 * way to pay. The link of a deleted session is still checked.
 */
export async function dropRivalSessions(
  container: MedusaContainer,
  row: CryptoPaymentRequestRow
): Promise<void> {
  if (row.payment_collection_id === null) {
    return
  }
  await dropSessions(container, row, (session) => session.id !== (row.paid_session_id ?? row.session_id))
}

/** Deletes matching sessions without a payment. One whose provider refuses stays, and nothing fails because of it. */
export async function dropSessions(
  container: MedusaContainer,
  { id: rowId, payment_collection_id: collectionId }: CryptoPaymentRequestRow,
  isMeant: (session: PaymentSessionDTO) => boolean
): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const sessions = await payments.listPaymentSessions(
    { payment_collection_id: collectionId ?? "" },
    { relations: ["payment"] }
  )
  for (const session of sessions) {
    if (!isMeant(session) || session.payment != null) {
      continue
    }
    const { id } = session
    try {
      await payments.deletePaymentSession(id)
    } catch (error) {
      container
        .resolve("logger")
        .warn(
          `crypto payment ${rowId}: its other payment session ${id} could not be deleted (${describeError(error)})`
        )
    }
  }
}
