import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { readSinceNotified, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

describeStore("what a payment is worth", (store) => {
  it.each([
    ["less", { amount: "20.00" }],
    ["more", { amount: "200.10" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("captures nothing and asks for attention when %s was paid", async (_, changes) => {
    const { cartId, collectionId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id, changes)
    await store.gateway.notify(session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      payments: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
    const completed = await store.shopper().complete(cartId)
    expect([completed.data.type, completed.data.error?.type]).toEqual(["cart", "payment_authorization_error"])
    const { status, data } = await store.shopper().openSession(collectionId)
    expect([status, data.message]).toEqual([400, expect.stringContaining("the shop is checking it")])
  })

  it.each([
    ["less", { amount: "1.00" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("pays no later session of the cart when %s was paid on a former link", async (_, changes) => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const { id } = await ledgerRow(store, session.id)
    const [item] = (await shopper.get(`/carts/${cartId}`)).data.cart.items as { id: string }[]
    const setQuantity = async (quantity: number): Promise<number> =>
      (await shopper.post(`/carts/${cartId}/line-items/${String(item?.id)}`, { quantity })).status
    expect(await setQuantity(2)).toBe(200)
    await store.gateway.pay(session.data.payment_request_id, changes)
    await store.gateway.notify(session.data.payment_request_id)
    expect((await endOf(store, cartId)).ledger).toMatchObject([{ attention: "amount_mismatch" }])

    expect(await setQuantity(1)).toBe(200)
    const { status } = await shopper.openSession(collectionId)
    expect(status).toBe(200)
    const fresh = await store.knex("crypto_payment_request").whereNot({ id }).first()
    expect(fresh).toMatchObject({ state: "open", amount: "20.01" })
    await payAndNotify(store, fresh.payment_request_id as string)
    expect(await endOf(store, cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
    const former = await store.knex("crypto_payment_request").where({ id }).first()
    expect(former).toMatchObject({
      state: "paid",
      session_id: session.id,
      attention_reason: "amount_mismatch",
    })
  })

  it("is not captured, and is a case, when its cart costs more than the link asked", async () => {
    const { cartId, session } = await store.shopper().checkout()
    // A merchant's own code that changes a cart past core's workflows leaves the session behind.
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: cartId })
    await carts.updateLineItems(String(item?.id), { unit_price: 30 })
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      collection: { captured: "0.00" },
      captures: [],
      orders: 0,
      transactions: [],
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
  })

  it("waits on a status word nobody knows", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.setStatus(session.data.payment_request_id, "CONFIRMING")
    await store.gateway.notify(session.data.payment_request_id)
    await readSinceNotified(store, session.data.payment_request_id)
    expect((await ledgerRow(store, session.id)).gateway_status).toBe("CONFIRMING")
    expect((await readEndState(store.knex, cartId)).payments).toEqual([])
  })

  it("is a case when such a word has lasted for an hour, until a known one follows", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const settleAfter = async (minutes: number): Promise<unknown> => {
      await store.knex("crypto_payment_request").update({
        status_since: store.knex.raw(`status_since - interval '${String(minutes)} minutes'`),
        next_check_at: new Date(0),
      })
      await settleDue(store)
      return (await ledgerRow(store, session.id)).attention_reason
    }
    await store.gateway.setStatus(session.data.payment_request_id, "COMPLETED")
    expect(await settleAfter(0)).toBeNull()
    expect(await settleAfter(59)).toBeNull()
    // Another such word is no news.
    await store.gateway.setStatus(session.data.payment_request_id, "SETTLING")
    expect(await settleAfter(1)).toBe("gateway_unclear")
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: [], orders: 0 })
    await store.gateway.setStatus(session.data.payment_request_id, "UNPAID")
    expect(await settleAfter(0)).toBeNull()
  })
})
