import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../support/paid-checkout"
import { readSinceNotified } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"

describeStore("what a payment is worth", (store) => {
  it.each([
    ["less", { amount: "20.00" }],
    ["more", { amount: "200.10" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("captures nothing and asks for attention when %s was paid", async (_, changes) => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id, changes)
    await store.gateway.notify(session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      payments: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
    const completed = await store.shopper().complete(cartId)
    expect([completed.data.type, completed.data.error?.type]).toEqual(["cart", "payment_authorization_error"])
  })

  it("settles, and tells a person, when the order turns out to cost more than the cart's link asked", async () => {
    const { cartId, session } = await store.shopper().checkout()
    // A merchant's own code that changes a cart past core's workflows leaves the session behind.
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: cartId })
    await carts.updateLineItems(String(item?.id), { unit_price: 30 })
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      collection: { captured: "20.01" },
      captures: ["20.01"],
      orders: 1,
      transactions: ["20.01"],
      ledger: [{ state: "captured", settled: true, attention: "order_underpaid" }],
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
})
