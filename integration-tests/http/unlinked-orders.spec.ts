import { UnlinkedOrders } from "../../.medusa/server/src/modules/crypto-payments/payment-requests/unlinked-orders"
import { removeBookings } from "../support/bookings"
import { leaveCompletionUnfinished } from "../support/died-while-completing"
import { countHeld, removeCrashPoints, setCrashPoints } from "../support/cluster/crash-points"
import { placePaidOrder, type PaidOrder } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const LONG_AGO = "now() - interval '1 hour'"

describeStore("an order that core began for a cart and did not link", (store) => {
  beforeEach(() => {
    store.leavesDamage("the order is only looked for, and nobody takes it back")
  })
  const find = async (cartId: string) => await new UnlinkedOrders(store.knex).find(cartId)

  /** What the database holds when the process dies after it wrote the order. */
  async function diedBeforeLinks(): Promise<PaidOrder> {
    const paid = await placePaidOrder(store)
    await forget(paid)
    return paid
  }

  async function forget({ cartId, orderId }: PaidOrder): Promise<void> {
    await store.knex("order_cart").where({ order_id: orderId }).delete()
    await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
    await removeBookings(store.knex, { order_id: orderId })
    await store.knex("crypto_payment_request").update({ settled_at: null, order_announced_at: null })
    await leaveCompletionUnfinished(store, cartId)
  }

  it("is found as it is in the database while core is about to link it", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await setCrashPoints(store.knex, new Map([[cartId, "the order has its cart"]]))
    const completion = store.shopper().complete(cartId)
    await waitUntil(
      async () => [await countHeld(store.knex), await store.knex("reservation_item").whereNull("deleted_at")],
      ([held, reserved]) => held === 1 && (reserved as unknown[]).length === 1
    )

    const { id } = await store.knex("order").first("id")
    expect(await find(cartId)).toEqual([
      {
        order_id: id,
        was_placed: false,
        is_touched: false,
        is_canceled: false,
        may_be_under_way: true,
      },
    ])

    await removeCrashPoints(store.knex)
    await completion
    expect(await find(cartId)).toEqual([])
  })

  it("is found when neither link was written and the stock was not reserved", async () => {
    const { cartId, orderId } = await diedBeforeLinks()
    await store.knex("reservation_item").delete()
    expect(await find(cartId)).toEqual([expect.objectContaining({ order_id: orderId })])
  })

  it("is not looked for when no completion was broken off", async () => {
    const { cartId, orderId } = await placePaidOrder(store)
    await store.knex("order_cart").where({ order_id: orderId }).delete()
    await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
    const nothingNoted = { settled_at: null, order_announced_at: null, order_id: null }
    await store.knex("crypto_payment_request").update(nothingNoted)
    expect(await find(cartId)).toEqual([])
  })

  it("is found by the row that was settled with it, without any link", async () => {
    const { cartId, orderId } = await placePaidOrder(store)
    await store.knex("order_cart").where({ order_id: orderId }).delete()
    await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
    expect(await find(cartId)).toEqual([expect.objectContaining({ order_id: orderId, was_placed: true })])
  })

  it("is found by the cart's payment collection, whatever became of the completion", async () => {
    const { cartId, orderId } = await placePaidOrder(store)
    await store.knex("order_cart").where({ order_id: orderId }).delete()
    expect(await find(cartId)).toEqual([expect.objectContaining({ order_id: orderId, is_touched: false })])
  })

  it("is not touched by the capture that core itself has booked on it, but by any other booking", async () => {
    const { cartId, orderId } = await placePaidOrder(store)
    await store.knex("order_cart").where({ order_id: orderId }).delete()
    expect(await store.knex("order_transaction").where({ order_id: orderId })).toHaveLength(1)
    expect(await find(cartId)).toEqual([expect.objectContaining({ is_touched: false })])

    await store.knex("order_transaction").where({ order_id: orderId }).update({ reference_id: "cash" })
    expect(await find(cartId)).toEqual([expect.objectContaining({ is_touched: true })])
  })

  it("is said to be old enough after two minutes, and cancelled when an admin user cancelled it", async () => {
    const { cartId, orderId } = await diedBeforeLinks()
    await store
      .knex("order")
      .where({ id: orderId })
      .update({ created_at: store.knex.raw("now() - interval '121 seconds'"), canceled_at: new Date() })
    expect(await find(cartId)).toEqual([
      expect.objectContaining({ may_be_under_way: false, is_canceled: true }),
    ])
  })

  it("is not taken for that of another cart of the same buyer", async () => {
    const [one, other] = [await diedBeforeLinks(), await diedBeforeLinks()]
    expect((await find(one.cartId)).map(({ order_id }) => order_id)).toEqual([one.orderId])
    expect((await find(other.cartId)).map(({ order_id }) => order_id)).toEqual([other.orderId])
  })

  it("is known by the buyer and the content when there is no address, and may be anybody's then", async () => {
    const { cartId, orderId } = await diedBeforeLinks()
    await store.knex("cart").where({ id: cartId }).update({ shipping_address_id: null })
    await store.knex("order").where({ id: orderId }).update({ shipping_address_id: null })
    expect(await find(cartId)).toEqual([expect.objectContaining({ order_id: orderId, is_touched: true })])

    await store.knex("order").where({ id: orderId }).update({ email: "somebody.else@example.test" })
    expect(await find(cartId)).toEqual([])
  })

  it("says when the merchant has worked with it", async () => {
    const { cartId, orderId } = await diedBeforeLinks()
    await store.knex("order").where({ id: orderId }).update({ status: "completed" })
    expect(await find(cartId)).toEqual([expect.objectContaining({ is_touched: true })])
  })

  it("is not an order of another hour", async () => {
    const { cartId } = await diedBeforeLinks()
    await store
      .knex("workflow_execution")
      .whereRaw("context #>> '{data,payload,id}' = ?", [cartId])
      .update({ created_at: store.knex.raw(LONG_AGO) })
    expect(await find(cartId)).toEqual([])
  })
})
