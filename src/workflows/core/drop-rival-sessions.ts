import type { IPaymentModuleService, Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/**
 * Deletes the other live sessions of a collection that this request has paid.
 *
 * Core completes a cart with whichever live session it happens to read first. A cart that was left with several, as
 * when an instance dies between creating one and deleting the one before, could otherwise stay paid without an order.
 * Core does the same when the payer chooses another way to pay. The link of a deleted session is still watched.
 */
export async function dropRivalSessions(
  container: MedusaContainer,
  row: CryptoPaymentRequestRow
): Promise<void> {
  if (row.payment_collection_id === null) {
    return
  }
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const sessions = await payments.listPaymentSessions(
    { payment_collection_id: row.payment_collection_id },
    { relations: ["payment"] }
  )
  const paying = row.paid_session_id ?? row.session_id
  for (const { id, payment } of sessions) {
    if (id === paying || payment != null) {
      continue
    }
    try {
      await payments.deletePaymentSession(id)
    } catch (error) {
      // Its provider refuses. The order may be placed all the same, if core reads the paid session first.
      container
        .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
        .warn(
          `crypto payment ${row.id}: its other payment session ${id} could not be deleted (${describeError(error)})`
        )
    }
  }
}
