import { OrderChanges } from "./order-changes"
import { ledgerRow, payAndNotify } from "./paid-checkout"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

export type DraftOrder = Awaited<ReturnType<typeof makeDraft>>
export type PaidDraft = Awaited<ReturnType<typeof makePaidDraft>>

/** A draft order of one or more items of 15.01 USD that a merchant has made, with a payment link of all that it costs. */
export async function makeDraft(store: StoreUnderTest, quantity = 1) {
  const changes = new OrderChanges(store)
  const orderId = await changes.draft({ quantity })
  const collectionId = await changes.collection({ orderId }, 15.01 * quantity)
  const { sessionId, data } = await changes.link(collectionId)
  return { orderId, collectionId, id: (await ledgerRow(store, sessionId)).id, link: data }
}

/** The same, paid, captured and settled. */
export async function makePaidDraft(store: StoreUnderTest) {
  const draft = await makeDraft(store)
  await payAndNotify(store, draft.link.payment_request_id)
  await waitUntil(
    async () => await ledgerRow(store, draft.link.session_id),
    ({ settled_at, lease_until }) => settled_at !== null && lease_until === null
  )
  const payment = await store.knex("payment").where({ payment_session_id: draft.link.session_id }).first("id")
  return { ...draft, paymentId: payment.id as string }
}
