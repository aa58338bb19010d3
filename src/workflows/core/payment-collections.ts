import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, isMoreThan } from "../../decision"
import { unexpectedState } from "../../modules/crypto-payments/errors"
import type { CollectionFacts } from "../../modules/crypto-payments/payment-requests/session-facts"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import type { Settling } from "./settling"

/** In the queue of the routes that create sessions of a collection, or links of an order, and as patient as these. */
export async function withSessionLock<T>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<T>
): Promise<{ result: T } | undefined> {
  return await whileLocked(container, `crypto:${id}`, CART_WAIT_S, work)
}

/**
 * Core creates a session for what its collection asks for. So the collection asks for what the link will.
 *
 * @param amount for the link that a merchant asks for: all that the order owes, as when core edits an order
 */
export async function askForWhatIsOwed(
  container: MedusaContainer,
  collectionId: string,
  facts: CollectionFacts | undefined,
  amount = facts?.link_amount
): Promise<void> {
  if (facts !== undefined && amount !== undefined && !amountsEqual(facts.collection_amount, amount)) {
    await container.resolve(Modules.PAYMENT).updatePaymentCollections(collectionId, { amount })
  }
}

/** Lets core create another collection of an order, as when it is edited. @returns its id */
export async function createOrderCollection(
  container: MedusaContainer,
  order_id: string,
  amount: string
): Promise<string> {
  const input = { order_id, amount: Number(amount) }
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({ input })
  if (result[0] === undefined) {
    throw unexpectedState("Medusa made no payment collection. Try again.")
  }
  return result[0].id
}

/**
 * A refused change of a cart's region leaves its collection in the new currency. Once the cart's payment is captured
 * and its order placed, the collection has the payment's currency.
 */
export async function restoreCurrency({ container, row, facts }: Settling): Promise<void> {
  const { payment_collection_id, currency_code } = row
  const { collection_currency_code, session_amount, order_id } = facts
  const isOfOther = collection_currency_code !== null && collection_currency_code !== currency_code
  const isCaptured = order_id !== null && isMoreThan(facts.payment_captured, "0")
  if (payment_collection_id !== null && session_amount !== null && isOfOther && isCaptured) {
    await container
      .resolve(Modules.PAYMENT)
      .updatePaymentCollections(payment_collection_id, { amount: session_amount, currency_code })
  }
}
