import { Modules } from "@medusajs/framework/utils"
import { underCartLock } from "./cart-lock"
import { withSessionLock } from "./payment-collections"
import type { Settling } from "./settling"

/**
 * Binds received money to a new session of the unpaid collection of its cart or order that asks for exactly this
 * amount. Core deletes a session whenever the payment step is opened again or another way to pay is chosen, and the
 * link of the deleted session can still be paid. The provider's `initiatePayment` binds the new session to the money.
 *
 * The collection's other sessions are deleted first, as core does. If a provider refuses that, as for a link that turns
 * out to be paid too, nothing is adopted.
 *
 * Runs under the cart's lock, so that the cart is not completed meanwhile, and the lock for creating sessions.
 */
export async function adoptPayment(settling: Settling): Promise<void> {
  const { container, ledger, row, facts } = settling
  const { adopting_collection_id: collectionId, provider_missing } = facts
  // Without its provider no session can be created, so none may be deleted for it.
  if (provider_missing || collectionId === null) {
    return
  }
  await underCartLock(settling, async () => {
    await withSessionLock(container, collectionId, async () => {
      const latest = await ledger.facts.read(row.id)
      if (latest.adopting_collection_id === collectionId) {
        await replaceSessions(settling, collectionId)
      }
    })
  })
}

async function replaceSessions({ container, row }: Settling, collectionId: string): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const collection = await payments.retrievePaymentCollection(collectionId, {
    relations: ["payment_sessions"],
  })
  for (const { id } of collection.payment_sessions ?? []) {
    await payments.deletePaymentSession(id)
  }
  await payments.createPaymentSession(collectionId, {
    provider_id: row.provider_id,
    amount: collection.amount,
    currency_code: collection.currency_code,
    data: {},
  })
}
