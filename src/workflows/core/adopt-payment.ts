import type { IPaymentModuleService, Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { underCartLock, whileLocked } from "./locks"

/** As long as a settle waits for a cart. */
const SESSION_WAIT_S = 20

/**
 * Gives received money a payment session again, of the unpaid collection of its cart or order that asks for exactly
 * this amount: core deletes a session whenever the payment step is opened again or another way to pay is chosen, and
 * the link of that session stays payable. The new session is bound to the money by the provider's `initiatePayment`.
 *
 * The other sessions of the collection are deleted first, as core itself does. One that its provider does not let go,
 * such as a link that turns out to be paid too, keeps its place: then nothing is adopted.
 *
 * Money whose own collection was deleted, of an order that still owes it, gets another collection first.
 *
 * Under the lock of the cart, so that the cart is not completed at the same time, and the lock for creating sessions.
 */
export async function adoptPayment(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  // Without its provider no session can be made, and none may be deleted for it.
  if (!(await ledger.settings.listRegistered()).includes(row.provider_id)) {
    return
  }
  try {
    const collectionId = facts.adopting_collection_id ?? (await askForMoney(container, ledger, row, facts))
    if (collectionId === null) {
      return
    }
    await underCartLock(container, row, facts, async () => {
      await whileLocked(container, `crypto:${collectionId}`, SESSION_WAIT_S, async () => {
        const latest = await ledger.facts.read(row.id)
        if (latest.adopting_collection_id === collectionId) {
          await replaceSessions(container, row, collectionId)
        }
      })
    })
  } catch (error) {
    logger.warn(
      `crypto payment ${row.id}: its money could not get a payment session (${describeError(error)}); it is tried again`
    )
  }
}

/** In the queue of those who make a link of the order, who may make such a collection too. */
async function askForMoney(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  { order_id }: SettlementFacts
): Promise<string | null> {
  const held = await whileLocked(container, `crypto:${order_id ?? row.id}`, SESSION_WAIT_S, async () => {
    const latest = await ledger.facts.read(row.id)
    if (!latest.needs_collection || latest.order_id === null) {
      return latest.adopting_collection_id
    }
    const { result } = await createOrderPaymentCollectionWorkflow(container).run({
      input: { order_id: latest.order_id, amount: Number(row.amount) },
    })
    return result[0]?.id ?? null
  })
  return held?.result ?? null
}

async function replaceSessions(
  container: MedusaContainer,
  { provider_id, amount }: CryptoPaymentRequestRow,
  collectionId: string
): Promise<void> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const collection = await payments.retrievePaymentCollection(collectionId, {
    relations: ["payment_sessions"],
  })
  for (const { id } of collection.payment_sessions ?? []) {
    await payments.deletePaymentSession(id)
  }
  const asksForIt = amountsEqual(collection.amount, amount)
  if (!asksForIt) {
    // The cart's own, which core has lowered: the order owes this amount again.
    await payments.updatePaymentCollections(collectionId, { amount })
  }
  await payments.createPaymentSession(collectionId, {
    provider_id,
    amount: asksForIt ? collection.amount : amount,
    currency_code: collection.currency_code,
    data: {},
  })
}
