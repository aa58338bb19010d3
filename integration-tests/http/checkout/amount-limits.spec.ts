import { createPaymentSessionsWorkflow } from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { settingsDesk } from "../../support/admin-api"
import { priceCart } from "../../support/cart-price"
import { PAID_OK, readCollectionEnd, readEndState, UNPAID } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const BELOW = {
  type: "invalid_data",
  code: "amount_below_minimum",
  message: "The smallest amount that this shop takes in crypto is 20.02 USD. Choose another payment method.",
}
const ABOVE = {
  type: "invalid_data",
  code: "amount_above_maximum",
  message: "The largest amount that this shop takes in crypto is 20.00 USD. Choose another payment method.",
}

describeStore("limits of the amount", (store) => {
  const desk = settingsDesk(store)

  beforeEach(async () => {
    await desk.get() // Forgets what the test before had saved.
  })

  async function limit(limits: Record<string, unknown>): Promise<void> {
    const { data } = await desk.get()
    expect((await desk.post({ version: data.settings.version, ...limits })).status).toBe(200)
  }

  /** Opens the payment step for a new cart, of 20.01 USD unless another total is given. */
  async function open(currency: "usd" | "aed" = "usd", amount?: number): Promise<AxiosResponse> {
    const shopper = store.shopper()
    const cartId = await shopper.cart({ currency })
    if (amount !== undefined) {
      await priceCart(store.knex, cartId, amount)
    }
    return await shopper.openSession(await shopper.collection(cartId))
  }

  async function offeredIn(region: string): Promise<unknown> {
    const { data } = await store.shopper().get(`/payment-providers?region_id=${region}`)
    return data.payment_providers.find(({ id }: { id: string }) => id === "pp_crypto_default")
  }

  const sessions = async (): Promise<unknown[]> => await store.knex("payment_session").select("id")

  describe("for a shopper's cart", () => {
    it.each([
      ["below the smallest amount", { min_amount: { usd: "20.02" } }, BELOW],
      ["above the largest amount", { max_amount: { usd: "20.00" } }, ABOVE],
      ["above a largest amount without decimals", { max_amount: { USD: "20" } }, ABOVE],
      ["above a largest amount with one decimal", { max_amount: { Usd: " 20.0 " } }, ABOVE],
    ])("refuse a session %s, and ask nobody", async (_, limits, refusal) => {
      await limit(limits)
      const { status, data } = await open()
      expect([status, data]).toEqual([400, refusal])
      expect(await store.gateway.calls()).toEqual([])
      expect(await sessions()).toEqual([])
      const health = await store.http.get("/admin/crypto-payments/health", await store.admin())
      expect(health.data.providers[0].last_checkout_failed_at).toBeNull()
    })

    it("take an amount that is the limit, also once it is rounded", async () => {
      await limit({ min_amount: { usd: "20.01" }, max_amount: { usd: "20.01" } })
      expect((await open()).status).toBe(200)
      expect((await open("usd", 20.005)).status).toBe(200)
      expect((await open("usd", 20.014)).status).toBe(200)
      expect((await open("usd", 20.004)).data.code).toBe("amount_below_minimum")
      expect((await open("usd", 20.015)).data.code).toBe("amount_above_maximum")
    })

    it("hold in their own currency only", async () => {
      await limit({ min_amount: { usd: "20.02" }, max_amount: { aed: "50000" } })
      expect((await open()).status).toBe(400)
      expect((await open("aed")).status).toBe(200)
      expect((await open("aed", 50000.01)).data.message).toContain("50000.00 AED")
    })

    it("hold for code that asks core for a session", async () => {
      const shopper = store.shopper()
      const payment_collection_id = await shopper.collection(await shopper.cart())
      await limit({ min_amount: { usd: "20.02" } })
      const run = createPaymentSessionsWorkflow(store.container).run({
        input: { payment_collection_id, provider_id: "pp_crypto_default" },
      })
      await expect(run).rejects.toMatchObject({ message: BELOW.message })
      expect(await store.gateway.calls()).toEqual([])
    })

    it("are in the list of providers, in the region's currency; without limits the list is core's", async () => {
      const { usd, aed } = store.seeded.regions
      const core = await offeredIn(usd)
      expect(core).toEqual({ id: "pp_crypto_default", is_enabled: true })
      await limit({ min_amount: { usd: "5" } })
      expect(await offeredIn(usd)).toEqual({
        ...(core as object),
        amount_limits: { currency_code: "usd", min: "5.00", max: null },
      })
      expect(await offeredIn(aed)).toEqual(core)
    })

    it("leave the other ways to pay in the list when they cannot be read", async () => {
      const [table, elsewhere] = ["crypto_payment_settings", "crypto_payment_settings_elsewhere"]
      await store.knex.schema.renameTable(table, elsewhere)
      try {
        await desk.get()
        const { data } = await store.shopper().get(`/payment-providers?region_id=${store.seeded.regions.usd}`)
        expect(data).toMatchObject({ payment_providers: [{ id: "pp_system_default" }], count: 1 })
      } finally {
        await store.knex.schema.renameTable(elsewhere, table)
      }
    })
  })

  describe("that were set after the link was made", () => {
    it("do not concern its payment, which is captured", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await limit({ max_amount: { usd: "20" } })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("do not concern its payment when the shopper completes the cart", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await limit({ min_amount: { usd: "20.02" } })
      await store.gateway.pay(session.data.payment_request_id)
      expect((await shopper.complete(cartId)).data.type).toBe("order")
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("leave the session and its link alone when the payment step is opened again", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await limit({ max_amount: { usd: "20" } })
      expect((await shopper.openSession(collectionId)).data).toEqual(ABOVE)
      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
      expect(await sessions()).toEqual([{ id: session.id }])
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("do not hide that it is paid: nobody is told to pay another way", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await limit({ max_amount: { usd: "20" } })
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([400, "This is already paid and is being confirmed."])
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })
  })

  it("leave the payment of a cart's former link a case when the cart has grown above them", async () => {
    await limit({ max_amount: { usd: "30" } })
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const item = { variant_id: store.seeded.variantId, quantity: 1 }
    expect((await shopper.post(`/carts/${cartId}/line-items`, item)).status).toBe(200)
    expect((await shopper.openSession(collectionId)).data.code).toBe("amount_above_maximum")
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      captures: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "orphan_paid" }],
    })
  })

  describe("for what an order owes", () => {
    it.each([
      [
        "the merchant",
        async (orderId: string) =>
          await store.http.post(
            `/admin/crypto-payments/orders/${orderId}/payment-link`,
            {},
            await store.admin()
          ),
      ],
      ["the shopper", async (_: string, id: string) => await store.shopper().openSession(id)],
    ])("are none: %s gets the link, and its payment is captured", async (_, ask) => {
      const changes = new OrderChanges(store)
      const order = await placePaidOrder(store)
      await changes.raise(order.orderId)
      await limit({ min_amount: { usd: "20" } })
      const rest = await changes.collection(order, 15.01)
      expect((await ask(order.orderId, rest)).status).toBe(200)
      const session = await store.knex("payment_session").where({ payment_collection_id: rest }).first("id")
      const { payment_request_id } = await ledgerRow(store, session.id as string)
      await payAndNotify(store, String(payment_request_id))
      await waitUntil(
        async () => await ledgerRow(store, session.id as string),
        ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
      )
      expect(await readCollectionEnd(store.knex, rest)).toMatchObject({ captures: ["15.01"] })
    })
  })

  it("hide crypto where a saved one crosses medusa-config's, and health says why", async () => {
    await limit({ max_amount: { usd: "5" } })
    const { settings } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const { values } = (await settings.readFresh("pp_crypto_default")).registration
    values.min_amount = { usd: "6.00" }
    try {
      await settings.readFresh("pp_crypto_default")
      const { usd, aed } = store.seeded.regions
      expect(await offeredIn(usd)).toBeUndefined()
      expect(await offeredIn(aed)).toBeDefined()
      const { data } = await store.http.get("/admin/crypto-payments/health", await store.admin())
      expect(data.providers).toMatchObject([
        { configured: true, problem: expect.stringContaining("above the largest") },
      ])
      const offering = (data.regions as { id: string; offered_ids: string[] }[]).filter(
        ({ offered_ids }) => offered_ids.length > 0
      )
      expect(offering.map(({ id }) => id)).toEqual([aed])
    } finally {
      delete values.min_amount
    }
  })

  it.each([
    ["a number", { min_amount: { usd: 5 } }, ["min_amount"]],
    ["a currency that the gateway does not take", { max_amount: { eur: "5.00" } }, ["max_amount"]],
    ["a largest amount of zero", { max_amount: { usd: "0" } }, ["max_amount"]],
  ])("are not saved with %s", async (_, limits, fields) => {
    const { status, data } = await desk.post({ version: 0, ...limits })
    expect([status, data.code, data.fields]).toEqual([400, "invalid", fields])
    expect(await store.knex("crypto_payment_settings").select()).toEqual([])
  })

  it("are not saved when they cross, and are named", async () => {
    const limits = { min_amount: { usd: "6", aed: "1" }, max_amount: { USD: "5" } }
    const { status, data } = await desk.post({ version: 0, ...limits })
    expect([status, data.code, data.fields]).toEqual([400, "limits_crossed", ["min_amount", "max_amount"]])
    expect([data.smallest, data.largest]).toEqual(["6.00 USD", "5.00 USD"])
    expect(await store.knex("crypto_payment_settings").select()).toEqual([])
  })

  it("are saved in one spelling, and removed with null", async () => {
    await limit({ min_amount: { USD: "5", aed: "20.5" } })
    const read = async (): Promise<unknown> => (await desk.get()).data.settings.fields.min_amount
    const value = { aed: "20.50", usd: "5.00" }
    expect(await read()).toEqual({ value, source: "stored", locked: false })
    await limit({ min_amount: null })
    expect(await read()).toEqual({ value: null, source: "default", locked: false })
  })
})
