import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../../support/end-state"
import { endOf, payAndNotify } from "../../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

describeStore("changing a cart that has a payment link", (store) => {
  it("supersedes the link, and a late payment on it waits for manual review (scenario 5)", async () => {
    const shopper = store.shopper()
    const unrelated = await shopper.checkout({ email: "unrelated@example.test" })
    const { cartId, session } = await shopper.checkout()
    expect((await addOneMore(store, cartId)).status).toBe(200)

    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      payments: [],
      captures: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "orphan_paid" }],
    })
    expect((await readEndState(store.knex, unrelated.cartId)).orders).toBe(0)
  })

  it("works with the gateway down, and the collection asks for the new total", async () => {
    const shopper = store.shopper()
    const { cartId } = await shopper.checkout()
    await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })

    expect((await addOneMore(store, cartId)).status).toBe(200)
    const [row] = await store
      .knex("payment_collection")
      .join(
        "cart_payment_collection",
        "payment_collection.id",
        "cart_payment_collection.payment_collection_id"
      )
      .where({ cart_id: cartId })
      .select("amount")
    expect(Number(row.amount)).toBe(35.02)
  })

  it("is refused once the link is paid, and the order is placed with what was paid", async () => {
    const checkout = await store.shopper().checkout()
    await store.gateway.pay(checkout.session.data.payment_request_id)
    expect((await addOneMore(store, checkout.cartId)).status).toBe(500)

    expect(await endOf(store, checkout.cartId)).toMatchObject({
      collection: { status: "completed", captured: "20.01" },
      captures: ["20.01"],
      transactions: ["20.01"],
      orders: 1,
      ledger: [{ state: "captured", settled: true, attention: null }],
    })
  })

  it("is refused while the gateway is down once PAID is in the ledger", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store
      .knex("crypto_payment_request")
      .where({ session_id: session.id })
      .update({ paid_at: new Date() })
    await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
    expect((await addOneMore(store, cartId)).status).toBe(400)
  })

  it("switches to another provider, and a late payment on the link is a duplicate", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const switched = await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_system_default",
    })
    expect(switched.status).toBe(200)
    const completed = await shopper.complete(cartId)
    expect(completed.data.type).toBe("order")
    const payments = await store.knex("payment").where({ payment_collection_id: collectionId }).select("id")
    await store.container.resolve(Modules.PAYMENT).capturePayment({ payment_id: payments[0].id })

    await payAndNotify(store, session.data.payment_request_id)
    const { ledger, captures } = await endOf(store, cartId)
    expect([ledger[0]?.attention, captures]).toEqual(["duplicate_payment", ["20.01"]])
  })
})

async function addOneMore(store: StoreUnderTest, cartId: string): Promise<{ status: number }> {
  return await store
    .shopper()
    .post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
}
