import type { IPaymentModuleService, Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { describeError } from "../../modules/crypto-payments/errors"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { underCartLock } from "./under-cart-lock"
import { whileLocked } from "./while-locked"

/** As long as a settle waits for a cart. */
const SESSION_WAIT_S = 20

/**
 * Gives received money a payment session again, of the unpaid collection of its cart or order that asks for exactly this
 * amount: core deletes a session whenever the payment step is opened again or another way to pay is chosen, and the link
 * of that session stays payable. The new session is bound to the money by the provider's `initiatePayment`.
 *
 * The other sessions of the collection are deleted first, as core itself does. One that its provider does not let go, such
 * as a link that turns out to be paid too, keeps its place: then nothing is adopted.
 *
 * Under the lock of the cart, so that nobody is completing it, and the one under which sessions are created.
 */
export async function adoptPayment(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  const collectionId = facts.adopting_collection_id
  // Without its provider no session can be made, and none may be deleted for it.
  if (collectionId === null || !(await ledger.listProviders()).includes(row.provider_id)) {
    return
  }
  try {
    await underCartLock(container, row, facts, async () => {
      await whileLocked(container, `crypto:${collectionId}`, SESSION_WAIT_S, async () => {
        const latest = await ledger.readSettlementFacts(row.id)
        if (latest.adopting_collection_id === collectionId) {
          await replaceSessions(container, row, collectionId)
        }
      })
    })
  } catch (error) {
    logger.warn(
      `crypto payment ${row.id}: its money got no session (${describeError(error)}); it is tried again`
    )
  }
}

async function replaceSessions(
  container: MedusaContainer,
  { provider_id }: CryptoPaymentRequestRow,
  collectionId: string
): Promise<void> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const collection = await payments.retrievePaymentCollection(collectionId, {
    relations: ["payment_sessions"],
  })
  for (const { id } of collection.payment_sessions ?? []) {
    await payments.deletePaymentSession(id)
  }
  await payments.createPaymentSession(collectionId, {
    provider_id,
    amount: collection.amount,
    currency_code: collection.currency_code,
    data: {},
  })
}
