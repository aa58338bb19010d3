import { readEndState } from "../support/end-state"
import { endOf } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

jest.setTimeout(60_000)

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
    expect([completed.data.type, completed.data.error.type]).toEqual(["cart", "payment_authorization_error"])
  })

  it("waits on a status word nobody knows", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.setStatus(session.data.payment_request_id, "CONFIRMING")
    await store.gateway.notify(session.data.payment_request_id)
    await waitUntil(
      async () => await store.knex("crypto_payment_request").where({ cart_id: cartId }).first(),
      (row: { gateway_status: string }) => row.gateway_status === "CONFIRMING"
    )
    expect((await readEndState(store.knex, cartId)).payments).toEqual([])
  })
})
