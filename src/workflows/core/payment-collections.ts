import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { isMoreThan } from "../../decision"
import { unexpectedState } from "../../modules/crypto-payments/errors"
import type { CollectionFacts } from "../../modules/crypto-payments/payment-requests/session-facts"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import type { Settling } from "./settling"

/** In the queue of the routes that create sessions of a collection, or links of an order, and as patient as these. */
export async function inSessionQueue<T>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<T>
): Promise<{ result: T } | undefined> {
  return await whileLocked(container, `crypto:${id}`, CART_WAIT_S, work)
}

/**
 * Core creates a session for what its collection asks for, and a link never asks for more than its order owes. Nothing
 * raises a collection again: what its order owes more than that has a link of its own.
 */
export async function askForNoMoreThanIsOwed(
  container: MedusaContainer,
  collectionId: string,
  facts: CollectionFacts | undefined
): Promise<void> {
  if (facts !== undefined && isMoreThan(facts.collection_amount, facts.link_amount)) {
    const amount = facts.link_amount
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
