import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { OrderChanges } from "../../support/order-changes"
import { describeStore } from "../../support/store-under-test"
import { orderStatus, placeUnpaidOrder, reservations, settleLater } from "../../support/unpaid-order"

const SETTINGS = "/crypto-payments/settings/pp_crypto_default"

/** What a merchant's own code does with each new order. */
let withNewOrder: () => Promise<void> = async () => undefined
// Core has the hook and leaves it out of its types.
const hooks = completeCartWorkflow.hooks as unknown as {
  orderCreated: (handler: () => Promise<void>) => void
}
hooks.orderCreated(async () => {
  await withNewOrder()
})

describeStore("the time in which an order may stay unpaid", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const save = async (changed: object): Promise<void> => {
    const { data } = await store.asAdmin.get(SETTINGS)
    await changes().must(SETTINGS, { version: data.settings.version, ...changed })
  }
  const end = async (orderId: string): Promise<unknown[]> => [
    await orderStatus(store, orderId),
    await reservations(store, orderId),
  ]

  it.each([
    ["places orders after payment again", { order_placement: "after_payment" }],
    ["has no limit any more", { unpaid_order_ttl_minutes: null }],
    ["gives others longer", { unpaid_order_ttl_minutes: 600 }],
  ])("is the one it was placed with when the store %s", async (_, changed) => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    const { orderId } = await placeUnpaidOrder(store)
    await save(changed)
    await settleLater(store, 29)
    expect(await end(orderId)).toEqual(["pending", 1])
    await settleLater(store, 2)
    expect(await end(orderId)).toEqual(["canceled", 0])
  })

  it("is the one of the moment at which the order is placed, by a link that was made before", async () => {
    await save({ order_placement: "after_payment", unpaid_order_ttl_minutes: 600 })
    const shopper = store.shopper()
    const { cartId } = await shopper.checkout()
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    const { data } = await shopper.complete(cartId)
    await store.untilQuiet()
    await save({ unpaid_order_ttl_minutes: null })
    await settleLater(store, 29)
    expect(await end(data.order.id as string)).toEqual(["pending", 1])
    await settleLater(store, 2)
    expect(await end(data.order.id as string)).toEqual(["canceled", 0])
  })

  it("is written although a settle has noted the order before core authorizes its payment", async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    const { links } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const limit = jest.spyOn(links, "limitOrder").mockImplementationOnce(async (id, minutes) => {
      const orderOfCart = store.knex("order_cart").select("order_id")
      await store.knex("crypto_payment_request").where({ id }).update({ order_id: orderOfCart })
      limit.mockRestore()
      await links.limitOrder(id, minutes)
    })
    const { orderId } = await placeUnpaidOrder(store)
    await save({ unpaid_order_ttl_minutes: null })
    await settleLater(store, 31)
    expect(await end(orderId)).toEqual(["canceled", 0])
  })

  it("is the one it is placed with although an earlier link of its cart was authorized with another", async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: null })
    const shopper = store.shopper()
    const { cartId, collectionId } = await shopper.checkout()
    await store.knex("crypto_payment_request").update({ unpaid_ttl_minutes: 30 })
    await shopper.post(`/carts/${cartId}`, { email: "corrected@example.test" })
    expect((await shopper.openSession(collectionId)).status).toBe(200)
    expect(await store.knex("crypto_payment_request").select("id")).toHaveLength(2)
    const { data } = await shopper.complete(cartId)
    await store.untilQuiet()
    await settleLater(store, 24 * 60)
    expect(await end(data.order.id as string)).toEqual(["pending", 1])
  })

  it('stays when staff press Medusa\'s "Check status" after the settings have changed', async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: null })
    const { orderId, session } = await placeUnpaidOrder(store)
    await save({ unpaid_order_ttl_minutes: 30 })
    const path = `/orders/${orderId}/payment-sessions/authorize`
    await store.asAdmin.post(path, { payment_session_id: session.id })
    await settleLater(store, 24 * 60)
    expect(await end(orderId)).toEqual(["pending", 1])
  })

  it("is not that of an order that core took back, when another provider is to pay the cart's next one", async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    const shopper = store.shopper()
    const { cartId, collectionId } = await shopper.checkout()
    withNewOrder = async () => {
      throw new Error("the merchant's system is down")
    }
    expect((await shopper.complete(cartId)).status).not.toBe(200)
    withNewOrder = async () => undefined
    const limits = store.knex("crypto_payment_request").pluck("unpaid_ttl_minutes")
    expect(await limits.clone()).toEqual([30])

    await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_system_default",
    })
    expect(await limits.clone()).toEqual([null])
    const { data } = await shopper.complete(cartId)
    // As if it had placed the order for a payment that it still waits for, such as a voucher.
    await store.knex("payment").update({ deleted_at: store.knex.fn.now() })
    await store
      .knex("payment_session")
      .where({ provider_id: "pp_system_default" })
      .update({ status: "pending_authorization", authorized_at: null })
    await settleLater(store, 49 * 60)
    expect(await end(data.order.id as string)).toEqual(["pending", 1])
  })

  it("has no end where there was no limit when it was placed", async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: null })
    const { orderId } = await placeUnpaidOrder(store)
    await save({ unpaid_order_ttl_minutes: 30 })
    await settleLater(store, 24 * 60)
    expect(await end(orderId)).toEqual(["pending", 1])
  })
})
