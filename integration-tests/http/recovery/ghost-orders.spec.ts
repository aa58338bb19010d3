import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { diedWhileCompleting, makeDue } from "../../support/died-while-completing"
import { PAID_OK, readEndState } from "../../support/end-state"
import { hear } from "../../support/heard-events"
import type { PaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("an order that core began for a paid cart when its process died", (store) => {
  const orderIds = async (): Promise<string[]> =>
    await store.knex("order").whereNull("deleted_at").orderBy("created_at").pluck<string[]>("id")
  const orderOfCart = async (cartId: string): Promise<string> =>
    (await store.knex("order_cart").where({ cart_id: cartId, deleted_at: null }).first("order_id")).order_id
  const asAdmin = async (path: string, body: object = {}) =>
    await store.http.post(`/admin${path}`, body, await store.admin())
  const check = async (id: string) => await asAdmin(`/crypto-payments/${id}/settle`)
  const reservations = async (): Promise<unknown[]> =>
    await store.knex("reservation_item").whereNull("deleted_at").pluck("id")
  const told = async (): Promise<unknown[]> =>
    await store.knex("crypto_payment_activity").where({ type: "attention" }).pluck("detail")

  describe.each([
    ["captured", true],
    ["not captured", false],
  ])("and that has neither its cart nor its payment collection, with the money %s", (_, isCaptured) => {
    const unlinked = async (): Promise<PaidOrder> =>
      await diedWhileCompleting(store, { links: [], isCaptured })

    it("is named by the case, once, and no second order is placed by whoever tries", async () => {
      const died = await unlinked()
      await settleDue(store)
      await makeDue(store, died)
      await settleDue(store)
      expect((await check(died.id)).status).toBe(200)
      const { status, data } = await store.shopper().complete(died.cartId)
      expect([status, data.type]).toEqual([400, "not_allowed"])

      expect(await orderIds()).toEqual([died.orderId])
      expect(await told()).toEqual([{ reason: "paid_without_order", order_id: died.orderId }])
      expect(await readEndState(store.knex, died.cartId)).toMatchObject({
        orders: 0,
        ledger: [{ settled: false, attention: "paid_without_order" }],
      })
    })

    it("is no longer in the way once it is cancelled: a check places the order, and its stock is reserved once", async () => {
      const { id, cartId, orderId } = await unlinked()
      await settleDue(store)
      expect((await asAdmin(`/orders/${orderId}/cancel`)).status).toBe(200)
      const placed = hear(store, "order.placed")
      expect((await check(id)).status).toBe(200)
      await settleDue(store)

      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      const placedId = await orderOfCart(cartId)
      expect(await orderIds()).toEqual([orderId, placedId])
      expect(await reservations()).toHaveLength(1)
      await waitUntil(
        () => Promise.resolve(placed),
        (heard) => heard.some((order) => order["id"] === placedId)
      )
    })

    it("is no longer in the way once the case is closed and a check is asked for: it was another sale", async () => {
      const { id, cartId, orderId } = await unlinked()
      await settleDue(store)
      expect((await asAdmin(`/crypto-payments/${id}/resolve`, { note: "sold by phone" })).status).toBe(200)
      await settleDue(store)
      expect(await orderIds()).toEqual([orderId])
      expect((await check(id)).status).toBe(200)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await orderIds()).toEqual([orderId, await orderOfCart(cartId)])
    })
  })

  it("is not another buyer's, of another currency, a draft, or from before core was asked", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    const order = (await store.knex("order").where({ id: orderId }).first()) as Record<string, unknown>
    const { display_id: _, raw_total: __, ...columns } = order
    const others = [
      { customer_id: null },
      { currency_code: "aed" },
      { is_draft_order: true, status: "draft" },
      { created_at: store.knex.raw("now() - interval '1 hour'") },
    ]
    for (const [index, other] of others.entries()) {
      await store.knex("order").insert({ ...columns, id: `order_other_${String(index)}`, ...other })
    }
    await store.knex("order").where({ id: orderId }).update({ status: "canceled", canceled_at: new Date() })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it.each([["captured", true] as const, ["not captured", false] as const])(
    "is the cart's when it has the payment collection, with the money %s",
    async (_, isCaptured) => {
      const { cartId, orderId } = await diedWhileCompleting(store, {
        links: ["order_payment_collection"],
        isCaptured,
      })
      const placed = hear(store, "order.placed")
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await orderIds()).toEqual([orderId])

      await store
        .knex("crypto_payment_request")
        .update({ settled_at: store.knex.raw("now() - interval '2 minutes'"), order_announced_at: null })
      await settleDue(store)
      await waitUntil(
        () => Promise.resolve(placed),
        (heard) => heard.some(({ id }) => id === orderId)
      )
    }
  )

  it("is the cart's as well when the shopper completes the cart again", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, {
      links: ["order_payment_collection"],
      isCaptured: true,
    })
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.order?.id]).toEqual([200, orderId])
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await orderIds()).toEqual([orderId])
  })

  it("is the cart's when it has the payment collection, whoever the buyer is by now", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, {
      links: ["order_payment_collection"],
      isCaptured: true,
    })
    await store
      .knex("order")
      .where({ id: orderId })
      .update({ customer_id: null, email: "other@example.test" })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await orderIds()).toEqual([orderId])
  })

  it("keeps its cart's buyer, by whom it is known, while it has neither link", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    const { status, data } = await store.shopper().post(`/carts/${cartId}`, { email: "other@example.test" })
    expect([status, data.type]).toEqual([400, "not_allowed"])
    await settleDue(store)
    expect(await told()).toEqual([{ reason: "paid_without_order", order_id: orderId }])
  })

  it("is waited for while core may be about to link it, as for another cart of the buyer", async () => {
    const { id, cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    await store
      .knex("order")
      .where({ id: orderId })
      .update({ created_at: store.knex.raw("now() + interval '1 minute'") })
    await settleDue(store)
    const checked = await check(id)
    expect([checked.status, checked.data.code]).toEqual([400, "being_settled"])
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.type]).toEqual([409, "conflict"])
    // The case names no order yet.
    expect([await orderIds(), await told()]).toEqual([[orderId], [{ reason: "paid_without_order" }]])
  })

  it.each([
    ["is open", {}],
    ["was closed", { attention_resolved_at: new Date(), attention_note: "restocked" }],
  ])("is named and not placed again by a check when a case of another cause %s", async (_, closed) => {
    const { id, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    await store.knex("crypto_payment_request").update({
      attention_reason: "paid_without_order",
      attention_since: store.knex.raw("now() - interval '1 minute'"),
      paid_at: store.knex.raw("now() - interval '10 minutes'"),
      ...closed,
    })
    expect((await check(id)).status).toBe(200)
    expect((await check(id)).status).toBe(200)
    expect(await orderIds()).toEqual([orderId])
    expect(await told()).toEqual([{ reason: "paid_without_order", order_id: orderId }])
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

  it("is left as it is when its cart has been completed past the plugin meanwhile", async () => {
    const { cartId, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
    const { result } = await completeCartWorkflow(store.container).run({ input: { id: cartId } })
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.order?.id]).toEqual([200, result.id])
    expect(await orderIds()).toEqual([orderId, result.id])
    expect(await store.knex("order_cart").where({ cart_id: cartId }).pluck("order_id")).toEqual([result.id])
  })
})
