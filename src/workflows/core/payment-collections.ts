import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, isMoreThan, needsAlignment } from "../../decision"
import { unexpectedState } from "../../modules/crypto-payments/errors"
import type { CollectionFacts } from "../../modules/crypto-payments/payment-requests/session-facts"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import type { Settling } from "./settling"
import { recomputeCollectionSums } from "./collection-sums"

/** In the queue of the routes that create sessions of a collection, or links of an order, and as patient as these. */
export async function inSessionQueue<T>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<T>
): Promise<{ result: T } | undefined> {
  return await whileLocked(container, `crypto:${id}`, CART_WAIT_S, work)
}

/**
 * Lets the collection of a captured payment ask for the captured amount. When that is too little for the order, another
 * collection asks for the rest.
 *
 * An edit of the order before the capture changes what the collection asks for, and the link may still be paid. A
 * collection that asks for more than was captured takes neither another session nor **Mark as paid**, and core cancels
 * it at the next edit. With one that asks for less, core shows the order as refunded once that much is sent back.
 */
export async function alignCollections({ container, ledger, row }: Omit<Settling, "facts">): Promise<void> {
  const { id, payment_collection_id: collectionId } = row
  if (collectionId === null) {
    return
  }
  await inSessionQueue(container, collectionId, async () => {
    const facts = await ledger.facts.read(id)
    if (needsAlignment(undefined, facts)) {
      await container
        .resolve(Modules.PAYMENT)
        .updatePaymentCollections(collectionId, { amount: facts.collection_captured })
      await recomputeCollectionSums(container, collectionId)
    }
    const { order_id, order_unpaid, rest_is_asked_for } = facts
    if (order_id !== null && order_unpaid !== null && !rest_is_asked_for && isMoreThan(order_unpaid, "0")) {
      await createOrderCollection(container, order_id, order_unpaid)
    }
  })
}

/** Core creates a session for what its collection asks for, so the collection has to ask for the link's amount. */
export async function askForWhatIsOwed(
  container: MedusaContainer,
  collectionId: string,
  facts: Pick<CollectionFacts, "collection_amount" | "link_amount"> | undefined
): Promise<void> {
  const amount = facts?.link_amount ?? "0"
  if (isMoreThan(amount, "0") && !amountsEqual(facts?.collection_amount ?? "0", amount)) {
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
