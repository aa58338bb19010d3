import { Modules } from "@medusajs/framework/utils"
import { warn, type Settling } from "./settling"

/**
 * Deletes the other live sessions of a collection that this request has paid. Core completes a cart with whichever live
 * session it reads first, so a cart with several sessions could stay paid without an order. An instance that dies while
 * it replaces a session leaves two. Core deletes them too when the payer chooses another way to pay. The link of a
 * deleted session is still checked.
 */
export async function dropRivalSessions({ container, row }: Settling): Promise<void> {
  const { payment_collection_id, paid_session_id, session_id } = row
  if (payment_collection_id === null) {
    return
  }
  const payments = container.resolve(Modules.PAYMENT)
  const sessions = await payments.listPaymentSessions({ payment_collection_id }, { relations: ["payment"] })
  for (const { id, payment } of sessions) {
    if (id === (paid_session_id ?? session_id) || payment != null) {
      continue
    }
    try {
      await payments.deletePaymentSession(id)
    } catch (error) {
      // Its provider refuses: the session stays.
      warn(container, `crypto payment ${row.id}: its other payment session ${id} could not be deleted`, error)
    }
  }
}
