import { readCollectionEnd, readEndState } from "../../support/end-state"
import { ledgerRow, payAndNotify, placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type SessionData } from "../../support/shopper"
import { OrderChanges } from "../../support/order-changes"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

interface Outstanding extends PaidOrder {
  /** The collection of what the order lacks, and its payment link. */
  rest: { collectionId: string; link: SessionData }
}

describeStore("the outstanding amount of an order", (store) => {
  const changes = new OrderChanges(store)
  const admin = changes.post

  /** A paid order of 20.01 that was raised to 35.02, with a payment link for the 15.01 it lacks. */
  async function raisedOrder(): Promise<Outstanding> {
    const order = await placePaidOrder(store)
    await changes.raise(order.orderId)
    const collectionId = await changes.collection(order, 15.01)
    const { data: link } = await changes.link(collectionId)
    return { ...order, rest: { collectionId, link } }
  }

  const settled = async (sessionId: string): Promise<void> => {
    await waitUntil(
      async () => await ledgerRow(store, sessionId),
      (row) => row.settled_at !== null || row.attention_reason !== null
    )
  }

  it("is captured and booked once when its link is paid, whoever says so and how often", async () => {
    const { cartId, orderId, rest } = await raisedOrder()
    const [, create] = await store.gateway.calls("POST")
    expect(create?.body).toMatchObject({ amount: "15.01", payer_email_address: "guest@example.test" })

    await payAndNotify(store, rest.link.payment_request_id)
    await settled(rest.link.session_id)
    await store.gateway.notify(rest.link.payment_request_id)
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)

    expect(await readCollectionEnd(store.knex, rest.collectionId)).toEqual({
      status: "completed",
      captured: "15.01",
      refunded: "0.00",
      captures: ["15.01"],
    })
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01"],
      transactions: ["20.01", "15.01"],
      ledger: [{ state: "captured", settled: true, attention: null }],
    })
    expect(await ledgerRow(store, rest.link.session_id)).toMatchObject({
      state: "captured",
      order_id: orderId,
      cart_id: null,
      attention_reason: null,
    })
  })

  it("is settled by the schedule when no notification comes", async () => {
    const { rest } = await raisedOrder()
    await store.gateway.pay(rest.link.payment_request_id)
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readCollectionEnd(store.knex, rest.collectionId)).toMatchObject({ captures: ["15.01"] })
  })

  it("is a duplicate when the merchant has marked it as paid meanwhile", async () => {
    const { orderId, rest } = await raisedOrder()
    const marked = await admin(`/payment-collections/${rest.collectionId}/mark-as-paid`, {
      order_id: orderId,
    })
    expect(marked.status).toBe(200)
    await payAndNotify(store, rest.link.payment_request_id)
    await settled(rest.link.session_id)

    expect(await ledgerRow(store, rest.link.session_id)).toMatchObject({
      state: "paid",
      settled_at: null,
      attention_reason: "duplicate_payment",
    })
    expect(await readCollectionEnd(store.knex, rest.collectionId)).toMatchObject({ captures: ["15.01"] })
  })

  it("is not captured any more when the order was cancelled", async () => {
    const { id, cartId, orderId, rest } = await raisedOrder()
    expect(
      (await admin(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: "0xabc" })).status
    ).toBe(200)
    expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(200)
    await payAndNotify(store, rest.link.payment_request_id)
    await settled(rest.link.session_id)

    expect(await ledgerRow(store, rest.link.session_id)).toMatchObject({
      state: "paid",
      attention_reason: "paid_on_canceled",
    })
    expect(await readCollectionEnd(store.knex, rest.collectionId)).toMatchObject({ captures: [] })
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
  })

  it("keeps its order from being cancelled once its link is paid, and is settled then", async () => {
    const { id, orderId, rest } = await raisedOrder()
    await admin(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: "0xabc" })
    await store.gateway.pay(rest.link.payment_request_id)
    expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(400)
    await settled(rest.link.session_id)
    expect(await readCollectionEnd(store.knex, rest.collectionId)).toMatchObject({ captures: ["15.01"] })
    expect((await store.knex("order").where({ id: orderId }).first("status")).status).toBe("pending")
  })

  it("can be paid by the shopper's own session of it", async () => {
    const { rest } = await raisedOrder()
    const session = readSession((await store.shopper().openSession(rest.collectionId)).data)
    expect(session.data.payment_link).toBe(rest.link.payment_link)
    await payAndNotify(store, session.data.payment_request_id)
    await settled(session.id)
    expect(await readCollectionEnd(store.knex, rest.collectionId)).toMatchObject({ captures: ["15.01"] })
  })
})
