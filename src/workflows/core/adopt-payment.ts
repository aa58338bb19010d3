import { Modules } from "@medusajs/framework/utils"
import { amountsEqual } from "../../decision"
import { underCartLock } from "./cart-lock"
import { createOrderCollection, inSessionQueue } from "./payment-collections"
import type { Settling } from "./settling"

/**
 * Binds received money to a new session of the unpaid collection of its cart or order that asks for exactly this
 * amount. Core deletes a session whenever the payment step is opened again or another way to pay is chosen, and the
 * link of the deleted session can still be paid. The provider's `initiatePayment` binds the new session to the money.
 *
 * The collection's other sessions are deleted first, as core does. If a provider refuses that, as for a link that turns
 * out to be paid too, nothing is adopted. If the money's own collection was deleted and the order still owes the
 * amount, the money gets another collection first.
 *
 * Runs under the cart's lock, so that the cart is not completed meanwhile, and the lock for creating sessions.
 */
export async function adoptPayment(settling: Settling): Promise<void> {
  const { container, ledger, row, facts } = settling
  // Without its provider no session can be created, so none may be deleted for it.
  if (facts.provider_missing) {
    return
  }
  const collectionId = facts.adopting_collection_id ?? (await askForMoney(settling))
  if (collectionId === null) {
    return
  }
  await underCartLock(settling, async () => {
    await inSessionQueue(container, collectionId, async () => {
      const latest = await ledger.facts.read(row.id)
      if (latest.adopting_collection_id === collectionId) {
        await replaceSessions(settling, collectionId)
      }
    })
  })
}

/** In the queue of those who create a link of the order, because they may create such a collection too. */
async function askForMoney({ container, ledger, row, facts }: Settling): Promise<string | null> {
  const held = await inSessionQueue(container, facts.order_id ?? row.id, async () => {
    const { needs_collection, order_id, adopting_collection_id } = await ledger.facts.read(row.id)
    return needs_collection && order_id !== null
      ? await createOrderCollection(container, order_id, row.amount)
      : adopting_collection_id
  })
  return held?.result ?? null
}

async function replaceSessions({ container, row }: Settling, collectionId: string): Promise<void> {
  const { provider_id, amount } = row
  const payments = container.resolve(Modules.PAYMENT)
  const collection = await payments.retrievePaymentCollection(collectionId, {
    relations: ["payment_sessions"],
  })
  for (const { id } of collection.payment_sessions ?? []) {
    await payments.deletePaymentSession(id)
  }
  const asksForIt = amountsEqual(collection.amount, amount)
  if (!asksForIt) {
    // The cart's own collection, which core has lowered: the order owes this amount again.
    await payments.updatePaymentCollections(collectionId, { amount })
  }
  await payments.createPaymentSession(collectionId, {
    provider_id,
    amount: asksForIt ? collection.amount : amount,
    currency_code: collection.currency_code,
    data: {},
  })
}
