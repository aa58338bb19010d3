import { Modules } from "@medusajs/framework/utils"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

describeStore("an order whose total has more than two decimals", (store) => {
  it.each([
    ["at once", ["20.01"]],
    ["in parts", ["10.00", "10.01"]],
  ])("has nothing left in its books when it is refunded in full %s", async (_, amounts) => {
    const shopper = store.shopper()
    const cartId = await shopper.cart()
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: cartId })
    await carts.updateLineItems(String(item?.id), { unit_price: 15.00752 })
    const session = readSession((await shopper.openSession(await shopper.collection(cartId))).data)
    expect(session.data.amount).toBe("20.01")
    await payAndNotify(store, session.data.payment_request_id)
    await endOf(store, cartId)

    const { id, order_id } = await ledgerRow(store, session.id)
    for (const [index, amount] of amounts.entries()) {
      const changes = new OrderChanges(store)
      const { status } = await changes.post(`/crypto-payments/${id}/refunds`, {
        amount,
        reference: `0x${String(index)}`,
      })
      expect(status).toBe(200)
    }
    const { rows } = await store.knex.raw<{ rows: { left: string; refunded: string }[] }>(
      `SELECT SUM(t.amount)::text AS left,
              (SELECT SUM(ref.amount) FROM refund ref WHERE ref.deleted_at IS NULL)::text AS refunded
         FROM order_transaction t WHERE t.order_id = ? AND t.deleted_at IS NULL`,
      [String(order_id)]
    )
    expect(rows.map(({ left, refunded }) => [Number(left), Number(refunded)])).toEqual([[0, 20.00752]])
    expect(await ledgerRow(store, session.id)).toMatchObject({ state: "refunded", attention_reason: null })
  })
})
