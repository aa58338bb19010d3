import { PAID_OK, readEndState } from "../support/end-state"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

jest.setTimeout(60_000)

describeStore("paid, and the order cannot be placed", (store) => {
  const setStock = async (quantity: number): Promise<void> => {
    await store.knex("inventory_level").update({
      stocked_quantity: quantity,
      raw_stocked_quantity: JSON.stringify({ value: String(quantity), precision: 20 }),
    })
  }

  it("is captured once, stands on the attention list, and completes when stock is back", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await setStock(0)
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.notify(session.data.payment_request_id)
    const stuck = await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger }) => ledger[0]?.attention !== null
    )
    expect(stuck).toEqual({
      ...PAID_OK,
      orders: 0,
      transactions: [],
      ledger: [{ state: "captured", settled: false, attention: "paid_without_order" }],
    })

    await setStock(10)
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("does not capture again when the storefront completes meanwhile", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await setStock(0)
    await store.gateway.pay(session.data.payment_request_id)
    const failed = await shopper.complete(cartId)
    expect(failed.data.type).not.toBe("order")

    await setStock(10)
    const completed = await shopper.complete(cartId)
    expect(completed.data.type).toBe("order")
    const state = await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger }) => ledger[0]?.settled === true
    )
    expect(state).toEqual(PAID_OK)
  })
})
