import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { clearUnlinkedOrders } from "../../.medusa/server/src/workflows/core/clear-unlinked-orders"
import { diedWhileCompleting, leaveCompletionUnfinished, makeDue } from "../support/died-while-completing"
import { PAID_OK, readEndState } from "../support/end-state"
import { everythingHeard, hear } from "../support/heard-events"
import { breakOffCompletions } from "../support/history"
import { placePaidOrder, type PaidOrder } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

describeStore("an order that core began for a paid cart when its process died", (store) => {
  const orderIds = async (): Promise<string[]> =>
    await store.knex("order").whereNull("deleted_at").orderBy("created_at").pluck<string[]>("id")
  const orderOfCart = async (cartId: string): Promise<string> =>
    (await store.knex("order_cart").where({ cart_id: cartId, deleted_at: null }).first("order_id")).order_id
  const check = async (id: string) =>
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
  const reservations = async (): Promise<unknown[]> =>
    await store.knex("reservation_item").whereNull("deleted_at").pluck("id")

  it.each([
    ["neither cart nor payment collection, and the money is captured", { links: [], isCaptured: true }],
    [
      "no cart, and the money is captured",
      { links: ["order_payment_collection" as const], isCaptured: true },
    ],
    [
      "no cart, and the money is not captured",
      { links: ["order_payment_collection" as const], isCaptured: false },
    ],
  ])("is replaced by the one order of the cart when it has %s", async (_, left) => {
    const { cartId, orderId } = await diedWhileCompleting(store, left)
    const placed = hear(store, "order.placed")
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    const placedId = await orderOfCart(cartId)
    expect(await orderIds()).toEqual([placedId])
    expect(placedId).not.toBe(orderId)
    expect(await reservations()).toHaveLength(1)
    await waitUntil(
      () => Promise.resolve(placed),
      (heard) => heard.some(({ id }) => id === placedId)
    )
  })

  it("is taken back in a store without the inventory module too", async () => {
    const { cartId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    const inventory: unknown = store.container.resolve(Modules.INVENTORY)
    // As core leaves a module that a store has disabled.
    store.container.register(Modules.INVENTORY, { resolve: () => undefined })
    try {
      expect(await clearUnlinkedOrders(store.container, cartId, true)).toBe("clear")
    } finally {
      store.container.register(Modules.INVENTORY, { resolve: () => inventory })
    }
    expect(await orderIds()).toEqual([])
    await settleDue(store)
    expect((await readEndState(store.knex, cartId)).orders).toBe(1)
  })

  it("is finished when it has its cart: the other link, the cart, the booking and order.placed", async () => {
    const { cartId, orderId, collectionId } = await diedWhileCompleting(store, {
      links: ["order_cart"],
      isCaptured: true,
    })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await orderIds()).toEqual([orderId])
    expect(
      await store
        .knex("order_payment_collection")
        .whereNull("deleted_at")
        .select("order_id", "payment_collection_id")
    ).toEqual([{ order_id: orderId, payment_collection_id: collectionId }])
    expect(await store.knex("cart").where({ id: cartId }).first("completed_at")).toEqual({
      completed_at: expect.any(Date),
    })

    const placed = hear(store, "order.placed")
    await store
      .knex("crypto_payment_request")
      .update({ settled_at: store.knex.raw("now() - interval '2 minutes'"), order_announced_at: null })
    await settleDue(store)
    await waitUntil(
      () => Promise.resolve(placed),
      (heard) => heard.some(({ id }) => id === orderId)
    )
  })

  it("gets its capture booked by core when it has its cart and the money is not captured", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: ["order_cart"], isCaptured: false })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await orderIds()).toEqual([orderId])
  })

  it("has its cart completed when it has both links and the money is not captured", async () => {
    const { cartId } = await diedWhileCompleting(store, {
      links: ["order_cart", "order_payment_collection"],
      isCaptured: false,
    })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await store.knex("cart").where({ id: cartId }).first("completed_at")).toEqual({
      completed_at: expect.any(Date),
    })
  })

  it("is left alone when an admin user has worked with it, and its case gives its number once", async () => {
    const died = await diedWhileCompleting(store, { links: [], isCaptured: true })
    await store.knex("order").where({ id: died.orderId }).update({ status: "completed" })
    await settleDue(store)
    await makeDue(store, died)
    await settleDue(store)

    expect(await orderIds()).toEqual([died.orderId])
    const { ledger, orders } = await readEndState(store.knex, died.cartId)
    expect({ ledger, orders }).toEqual({
      ledger: [{ state: "captured", settled: false, attention: "paid_without_order" }],
      orders: 0,
    })
    const told = await store.knex("crypto_payment_activity").where({ type: "attention" }).pluck("detail")
    expect(told).toEqual([{ reason: "paid_without_order", order_id: died.orderId }])
    expect((await check(died.id)).status).toBe(200)
    const { status, data } = await store.shopper().complete(died.cartId)
    expect([status, data.type]).toEqual([400, "not_allowed"])
    expect(await orderIds()).toEqual([died.orderId])
  })

  it.each([
    ["was sent back before anybody placed it", { isCaptured: true }, "refunded", 0],
    ["never came", { isCaptured: false }, "open", 0],
    ["was sent back, and 500 newer completions were broken off", { isCaptured: true }, "refunded", 500],
  ])("is taken back by the schedule when the money %s", async (_, { isCaptured }, state, newer) => {
    const { id, cartId } = await diedWhileCompleting(store, { links: [], isCaptured })
    if (isCaptured) {
      const refund = { amount: "20.01", reference: "0xabc" }
      const { status } = await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        refund,
        await store.admin()
      )
      expect(status).toBe(200)
    } else {
      await store.knex("crypto_payment_request").update({ state, paid_at: null, gateway_status: "UNPAID" })
    }
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
    if (newer > 0) {
      await breakOffCompletions(store, newer)
      const ofOthers = store.knex("workflow_execution").whereLike("run_id", "run-%")
      await ofOthers.update({ updated_at: new Date() })
      await store.runSchedule()
    }
    await store.runSchedule()

    expect(await orderIds()).toEqual([])
    expect(await reservations()).toEqual([])
    expect(await readEndState(store.knex, cartId)).toMatchObject({ orders: 0, ledger: [{ state }] })
  })

  describe.each([
    ["link to its cart was removed", ["order_cart"]],
    ["links were all removed", ["order_cart", "order_payment_collection"]],
  ])("but that was placed, and whose %s ten minutes later", (_, links) => {
    async function unlinked(): Promise<PaidOrder> {
      const paid = await placePaidOrder(store)
      await everythingHeard(store)
      await store.untilQuiet()
      for (const link of links) {
        await store.knex(link).where({ order_id: paid.orderId }).update({ deleted_at: new Date() })
      }
      const ago = store.knex.raw("now() - interval '10 minutes'")
      await store.knex("order").update({ created_at: ago })
      await store.knex("capture").update({ created_at: ago })
      return paid
    }

    it("gets its cart back when the payment is checked", async () => {
      const { id, cartId, orderId } = await unlinked()
      expect((await check(id)).status).toBe(200)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await orderIds()).toEqual([orderId])
    })

    it("gets its cart back when that is completed again", async () => {
      const { cartId, orderId } = await unlinked()
      const { status, data } = await store.shopper().complete(cartId)
      expect([status, data.order?.id]).toEqual([200, orderId])
      await settleDue(store)
      expect(await orderIds()).toEqual([orderId])
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("gets its cart back before a settle has ended with it and before its order.placed is heard", async () => {
      const { id, cartId, orderId } = await unlinked()
      await store.knex("crypto_payment_request").update({ order_announced_at: null, settled_at: null })
      expect((await check(id)).status).toBe(200)
      expect(await orderIds()).toEqual([orderId])
      expect(await readEndState(store.knex, cartId)).toMatchObject({ orders: 1 })
    })

    it("is not removed by the schedule either, when a completion of its cart was broken off before", async () => {
      const { cartId, orderId } = await unlinked()
      await leaveCompletionUnfinished(store, cartId)
      await settleDue(store)
      expect(await orderIds()).toEqual([orderId])
    })
  })

  it("is removed, and not linked to its cart, when that has been completed past the plugin meanwhile", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: false })
    const { result } = await completeCartWorkflow(store.container).run({ input: { id: cartId } })
    expect(result.id).not.toBe(orderId)
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.order?.id]).toEqual([200, result.id])
    expect(await orderIds()).toEqual([result.id])
    expect(await store.knex("order_cart").where({ cart_id: cartId }).pluck("order_id")).toEqual([result.id])
  })

  describe("of a cart without addresses, which only buyer and content tell", () => {
    /** It may as well be a draft that the merchant made for the same buyer, and has converted. */
    const withoutAddresses = async (isCaptured: boolean): Promise<PaidOrder> => {
      const died = await diedWhileCompleting(store, { links: [], isCaptured })
      const none = { shipping_address_id: null, billing_address_id: null }
      await store.knex("cart").where({ id: died.cartId }).update(none)
      await store.knex("order").where({ id: died.orderId }).update(none)
      return died
    }

    it("is not removed when the money never came", async () => {
      const { orderId } = await withoutAddresses(false)
      const nextCheck = new Date(Date.now() + 3_600_000)
      await store
        .knex("crypto_payment_request")
        .update({ state: "open", paid_at: null, gateway_status: "UNPAID", next_check_at: nextCheck })
      await store.runSchedule()
      expect(await orderIds()).toEqual([orderId])
    })

    it("is left for manual review when the cart is paid, and its case gives its number", async () => {
      const { orderId } = await withoutAddresses(true)
      await settleDue(store)
      expect(await orderIds()).toEqual([orderId])
      const told = await store.knex("crypto_payment_activity").where({ type: "attention" }).pluck("detail")
      expect(told).toEqual([{ reason: "paid_without_order", order_id: orderId }])
    })
  })

  it("no longer blocks once an admin user has cancelled it", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    await store.knex("order").where({ id: orderId }).update({ status: "canceled", canceled_at: new Date() })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await orderIds()).toEqual([orderId, await orderOfCart(cartId)])
  })

  it("is left alone while core may still be at it", async () => {
    const { id, cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    // By another server's clock, which is ahead.
    const created_at = store.knex.raw("now() + interval '25 seconds'")
    await store.knex("order").where({ id: orderId }).update({ created_at })
    await store.knex("capture").update({ created_at: new Date() })
    await settleDue(store)

    expect(await orderIds()).toEqual([orderId])
    const checked = await check(id)
    expect([checked.status, checked.data.code]).toEqual([400, "being_settled"])
    expect(await orderIds()).toEqual([orderId])
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.type]).toEqual([409, "conflict"])
    expect(await orderIds()).toEqual([orderId])
  })

  it("is replaced as well when the shopper completes the cart again", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
    const { status, data } = await store.shopper().complete(cartId)

    expect([status, data.type]).toEqual([200, "order"])
    expect(data.order.id).not.toBe(orderId)
    expect(await orderIds()).toEqual([data.order.id])
    expect(await reservations()).toHaveLength(1)
  })
})
