import { PAID_OK, readEndState } from "../../support/end-state"
import { payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { setStock } from "../../support/stock"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("a cart whose e-mail was corrected while its first link is open", (store) => {
  /** The payment step is opened again, with another link. */
  async function corrected(): Promise<{ first: PreparedCheckout; second: PreparedCheckout["session"] }> {
    const shopper = store.shopper()
    const first = await shopper.checkout({ email: "gust@example.test" })
    await shopper.post(`/carts/${first.cartId}`, { email: "guest@example.test" })
    const second = readSession((await shopper.openSession(first.collectionId)).data)
    expect(second.data.payment_link).not.toBe(first.session.data.payment_link)
    return { first, second }
  }

  const settled = async (paymentRequestId: string): Promise<Record<string, unknown>> =>
    await waitUntil(
      async () =>
        await store.knex("crypto_payment_request").where({ payment_request_id: paymentRequestId }).first(),
      ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
    )

  it("is paid with the first link", async () => {
    const { first } = await corrected()
    const { payment_request_id: id } = first.session.data
    await payAndNotify(store, id)
    expect(await settled(id)).toMatchObject({ state: "captured", attention_reason: null })
    const end = await readEndState(store.knex, first.cartId)
    expect(end).toEqual({
      ...PAID_OK,
      ledger: [...PAID_OK.ledger, { state: "superseded", settled: false, attention: null }],
    })
    const { data } = await store.shopper().statusOf(first.session.id, first.cartId)
    expect(data).toMatchObject({ status: "paid", order_id: expect.any(String) })
  })

  it("is paid with the second link", async () => {
    const { first, second } = await corrected()
    await payAndNotify(store, second.data.payment_request_id)
    await settled(second.data.payment_request_id)
    expect(await readEndState(store.knex, first.cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
  })

  it("is paid with the first link although PAID is reported of the second, which nobody has paid", async () => {
    const { first, second } = await corrected()
    await store.gateway.notify(second.data.payment_request_id, { status: "PAID" })
    await settleDue(store)
    const { payment_request_id: id } = first.session.data
    await payAndNotify(store, id)
    expect(await settled(id)).toMatchObject({ state: "captured", attention_reason: null })
    expect(await readEndState(store.knex, first.cartId)).toMatchObject({
      captures: ["20.01"],
      orders: 1,
      ledger: [
        { state: "captured", settled: true, attention: null },
        { state: "superseded", settled: false, attention: null },
      ],
    })
  })

  it("is paid once with both links: the other payment is a case", async () => {
    const { first, second } = await corrected()
    const { payment_request_id: id } = first.session.data
    await payAndNotify(store, id)
    await settled(id)
    await payAndNotify(store, second.data.payment_request_id)
    expect(await settled(second.data.payment_request_id)).toMatchObject({
      state: "paid",
      attention_reason: "duplicate_payment",
    })
    expect(await readEndState(store.knex, first.cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
  })

  it("is paid with both links while it gets no order: the case names the payment that is kept", async () => {
    const { first, second } = await corrected()
    await setStock(store, 0)
    await payAndNotify(store, first.session.data.payment_request_id)
    const kept = await settled(first.session.data.payment_request_id)
    expect(kept).toMatchObject({ state: "captured", attention_reason: "paid_without_order" })
    await payAndNotify(store, second.data.payment_request_id)
    const { id } = await settled(second.data.payment_request_id)
    const { data } = await store.asAdmin.get(`/crypto-payments/${String(id)}?live=false`)
    expect(data.crypto_payment).toMatchObject({
      attention_reason: "duplicate_payment",
      duplicate_of: kept["id"],
      order_id: null,
    })
  })

  it("is paid with the first link after the shopper has turned to another way to pay", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_system_default",
    })
    await payAndNotify(store, session.data.payment_request_id)
    await settled(session.data.payment_request_id)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("opens a case when the order was placed with another way to pay", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_system_default",
    })
    expect((await shopper.complete(cartId)).data.type).toBe("order")
    await payAndNotify(store, session.data.payment_request_id)
    await settled(session.data.payment_request_id)
    await settleDue(store)
    const { ledger, captures, orders } = await readEndState(store.knex, cartId)
    expect([ledger[0]?.attention, captures, orders]).toEqual(["orphan_paid", [], 1])
  })

  it("leaves out what an admin user has dealt with", async () => {
    const { first } = await corrected()
    const { payment_request_id: id } = first.session.data
    // The cart asks for more at this moment, so the money has a case, and the merchant sends it back.
    const shopper = store.shopper()
    await shopper.post(`/carts/${first.cartId}/line-items`, {
      variant_id: store.seeded.variantId,
      quantity: 1,
    })
    await payAndNotify(store, id)
    const row = await settled(id)
    expect(row).toMatchObject({ attention_reason: "orphan_paid" })
    const admin = await store.admin()
    await store.http.post(`/admin/crypto-payments/${String(row["id"])}/resolve`, { note: "sent back" }, admin)
    const { data } = await shopper.get(`/carts/${first.cartId}`)
    const [item] = data.cart.items as { id: string }[]
    await shopper.post(`/carts/${first.cartId}/line-items/${String(item?.id)}`, { quantity: 1 })
    await store.http.post(`/admin/crypto-payments/${String(row["id"])}/settle`, {}, admin)
    expect(await readEndState(store.knex, first.cartId)).toMatchObject({ captures: [], orders: 0 })
  })
})
