import type { AxiosResponse } from "axios"
import { ledgerRow, payAndNotify } from "./paid-checkout"
import type { SessionData } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

export interface DraftOrder {
  orderId: string
  collectionId: string
  /** The ledger row's id. */
  id: string
  link: SessionData
}

export interface PaidDraft extends DraftOrder {
  paymentId: string
}

/** A draft order of one or more items of 15.01 USD that a merchant has made, with a payment link of all that it costs. */
export async function makeDraft(store: StoreUnderTest, quantity = 1): Promise<DraftOrder> {
  const post = async (path: string, body: unknown): Promise<AxiosResponse["data"]> => {
    const { status, data } = await store.http.post(`/admin${path}`, body, await store.admin())
    if (status !== 200) {
      throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
    }
    return data
  }
  const { draft_order } = await post("/draft-orders", {
    email: "guest@example.test",
    region_id: store.seeded.regions.usd,
    sales_channel_id: store.seeded.salesChannelId,
    items: [{ variant_id: store.seeded.variantId, quantity }],
  })
  const orderId = draft_order.id as string
  const { payment_collection } = await post("/payment-collections", {
    order_id: orderId,
    amount: 15.01 * quantity,
  })
  const collectionId = payment_collection.id as string
  await post(`/payment-collections/${collectionId}/payment-sessions`, { provider_id: "pp_crypto_default" })
  const session = await store
    .knex("payment_session")
    .where({ payment_collection_id: collectionId })
    .first("id", "data")
  const { id } = await ledgerRow(store, session.id as string)
  return { orderId, collectionId, id, link: session.data as SessionData }
}

/** The same, paid, captured and settled. */
export async function makePaidDraft(store: StoreUnderTest): Promise<PaidDraft> {
  const draft = await makeDraft(store)
  await payAndNotify(store, draft.link.payment_request_id)
  await waitUntil(
    async () => await ledgerRow(store, draft.link.session_id),
    ({ settled_at, lease_until }) => settled_at !== null && lease_until === null
  )
  const payment = await store.knex("payment").where({ payment_session_id: draft.link.session_id }).first("id")
  return { ...draft, paymentId: payment.id as string }
}
