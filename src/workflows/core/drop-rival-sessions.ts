import type { PaymentSessionDTO } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { warn, type Settling } from "./settling"

/**
 * Deletes the other live sessions of a collection that this request has paid. Core completes a cart with whichever live
 * session it reads first, so a cart with several sessions could stay paid without an order. An instance that dies while
 * it replaces a session leaves two. Core deletes them too when the payer chooses another way to pay. The link of a
 * deleted session is still checked.
 */
export async function dropRivalSessions(settling: Settling): Promise<void> {
  const { payment_collection_id, paid_session_id, session_id } = settling.row
  if (payment_collection_id !== null) {
    await dropSessions(settling, (session) => session.id !== (paid_session_id ?? session_id))
  }
}

/** Deletes matching sessions without a payment. One whose provider refuses stays, and nothing fails because of it. */
async function dropSessions(
  { container, row }: Pick<Settling, "container" | "row">,
  isMeant: (session: PaymentSessionDTO) => boolean
): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const sessions = await payments.listPaymentSessions(
    { payment_collection_id: row.payment_collection_id ?? "" },
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
      warn(container, `crypto payment ${row.id}: its other payment session ${id} could not be deleted`, error)
    }
  }
}
