import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { runAudit } from "../../support/audit"
import { PAID_OK, readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { Refunds } from "../../support/refunds"
import { refuseOrders } from "../../support/refused-orders"
import { describeStore } from "../../support/store-under-test"

describeStore("a link that was given out before its region changed", (store) => {
  const link = () => store.container.resolve(ContainerRegistrationKeys.LINK)
  const offering = () => ({
    [Modules.REGION]: { region_id: store.seeded.regions.usd },
    [Modules.PAYMENT]: { payment_provider_id: "pp_crypto_default" },
  })

  /** The same currency, and the same shipping option: the cart's total stays. */
  async function regionWithoutCrypto(): Promise<string> {
    const fulfillment = store.container.resolve(Modules.FULFILLMENT)
    const [zone] = await fulfillment.listServiceZones({})
    await fulfillment.createGeoZones({
      service_zone_id: zone?.id ?? "",
      type: "country",
      country_code: "ca",
    })
    const { result } = await createRegionsWorkflow(store.container).run({
      input: {
        regions: [
          {
            name: "Canada",
            currency_code: "usd",
            countries: ["ca"],
            payment_providers: ["pp_system_default"],
          },
        ],
      },
    })
    return result[0]?.id ?? ""
  }

  /** The money is captured, and no order is placed. */
  const WITHOUT_ORDER = {
    orders: 0,
    captures: ["20.01"],
    refunds: [],
    ledger: [{ state: "captured", settled: false, attention: "paid_without_order" }],
  }
  const checkNow = async (sessionId: string): Promise<void> => {
    const { id } = await ledgerRow(store, sessionId)
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
  }

  describe("because the provider was taken off it", () => {
    afterEach(async () => {
      await link().create(offering())
    })

    it("is a case when it is paid, and becomes the order once the provider is back", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await link().dismiss(offering())
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject(WITHOUT_ORDER)
      await checkNow(session.id)
      expect(await readEndState(store.knex, cartId)).toMatchObject(WITHOUT_ORDER)

      await link().create(offering())
      await checkNow(session.id)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is a case when the payment step was opened in vain meanwhile, and becomes the order, too", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await link().dismiss(offering())
      expect((await shopper.openSession(collectionId)).status).toBe(400)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject(WITHOUT_ORDER)

      await link().create(offering())
      await checkNow(session.id)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is refused, as core says, when the storefront completes the paid cart, until the provider is back", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await link().dismiss(offering())
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject(WITHOUT_ORDER)
      expect((await shopper.complete(cartId)).status).toBe(400)
      expect(await readEndState(store.knex, cartId)).toMatchObject(WITHOUT_ORDER)

      await link().create(offering())
      const { status, data } = await shopper.complete(cartId)
      expect([status, data.type]).toEqual([200, "order"])
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("is refused, as core says, while it is not paid", async () => {
      const shopper = store.shopper()
      const { cartId } = await shopper.checkout()
      await link().dismiss(offering())
      expect((await shopper.complete(cartId)).status).toBe(400)
      expect((await readEndState(store.knex, cartId)).orders).toBe(0)
    })
  })

  it("because the cart moved to a region without the provider is a case when it is paid, and then the order", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    const region_id = await regionWithoutCrypto()
    const moved = await shopper.post(`/carts/${cartId}`, { region_id })
    expect(moved.status).toBe(200)
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject(WITHOUT_ORDER)

    await link().create({ ...offering(), [Modules.REGION]: { region_id } })
    await checkNow(session.id)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("and is captured: the order's collection gets its currency back", async () => {
    const { id, cartId, collectionId } = await placePaidOrder(store)
    // As a storefront leaves it that completes the cart after its switch of the region was refused.
    await store
      .knex("payment_collection")
      .where({ id: collectionId })
      .update({ currency_code: "aed", amount: 73.5 })
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
    const collection = await store.knex("payment_collection").where({ id: collectionId }).first()
    expect([collection.currency_code, Number(collection.amount)]).toEqual(["usd", 20.01])
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it.each([
    ["the same figure in another currency", { currency_code: "aed" }],
    ["another amount", { amount: 40.02, raw_amount: { value: "40.02", precision: 20 } }],
  ])("and whose session is gone is bound to no session of %s", async (_, asked) => {
    const { cartId, collectionId, session } = await store.shopper().checkout()
    await store.container.resolve(Modules.PAYMENT).deletePaymentSession(session.id)
    await store.knex("payment_collection").where({ id: collectionId }).update(asked)
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      captures: [],
      orders: 0,
      ledger: [{ state: "paid", attention: "orphan_paid" }],
    })
    expect(await store.knex("payment_session").whereNull("deleted_at").pluck("id")).toEqual([])
  })

  it("and is sent back: a new currency of the cart is no damage", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const allowOrders = await refuseOrders(store)
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({ captures: ["20.01"], orders: 0 })
    await new Refunds(store).register((await ledgerRow(store, session.id)).id, "20.01")
    await allowOrders()
    const moved = await shopper.post(`/carts/${cartId}`, {
      region_id: store.seeded.regions.aed,
      shipping_address: { country_code: "ae" },
    })
    expect(moved.status).toBe(200)
    const collection = await store.knex("payment_collection").where({ id: collectionId }).first()
    expect(collection.currency_code).toBe("aed")
    expect((await runAudit(store)).findings).toEqual([])
  })

  it("and is paid, unnoticed, keeps the cart out of another currency, and so its collection", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const moved = await shopper.post(`/carts/${cartId}`, {
      region_id: store.seeded.regions.aed,
      shipping_address: { country_code: "ae" },
    })
    expect(moved.status).toBe(500)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
    const collection = await store.knex("payment_collection").where({ id: collectionId }).first()
    expect([collection.currency_code, Number(collection.amount)]).toEqual(["usd", 20.01])
    const order = await store.knex("order").first("currency_code", "region_id")
    expect(order).toEqual({ currency_code: "usd", region_id: store.seeded.regions.usd })
    expect((await readEndState(store.knex, cartId)).orders).toBe(1)
  })
})
