import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import { underCartLock, whileLocked } from "./locks"
import type { Settling } from "./settling"

/** As long as a settle waits for a cart. */
const SESSION_WAIT_S = 20

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
  if (!(await ledger.settings.listRegistered()).includes(row.provider_id)) {
    return
  }
  try {
    const collectionId = facts.adopting_collection_id ?? (await askForMoney(settling))
    if (collectionId === null) {
      return
    }
    await underCartLock(settling, async () => {
      await whileLocked(container, `crypto:${collectionId}`, SESSION_WAIT_S, async () => {
        const latest = await ledger.facts.read(row.id)
        if (latest.adopting_collection_id === collectionId) {
          await replaceSessions(settling, collectionId)
        }
      })
    })
  } catch (error) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(
        `crypto payment ${row.id}: its money could not get a payment session (${describeError(error)}); it is tried again`
      )
  }
}

/** In the queue of those who create a link of the order, because they may create such a collection too. */
async function askForMoney({ container, ledger, row, facts }: Settling): Promise<string | null> {
  const held = await whileLocked(
    container,
    `crypto:${facts.order_id ?? row.id}`,
    SESSION_WAIT_S,
    async () => {
      const latest = await ledger.facts.read(row.id)
      if (!latest.needs_collection || latest.order_id === null) {
        return latest.adopting_collection_id
      }
      const { result } = await createOrderPaymentCollectionWorkflow(container).run({
        input: { order_id: latest.order_id, amount: Number(row.amount) },
      })
      return result[0]?.id ?? null
    }
  )
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
