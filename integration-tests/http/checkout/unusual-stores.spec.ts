import { Modules } from "@medusajs/framework/utils"
import {
  createCartCreditLinesWorkflow,
  createOrderWorkflow,
  createSalesChannelsWorkflow,
  linkProductsToSalesChannelWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/medusa/core-flows"
import { readEndState } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { FIRST, offerBoth, SECOND } from "../../support/second-provider"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { orderStatus, settleLater } from "../../support/unpaid-order"

describeStore(
  "a store that is used unusually",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)

    async function secondChannel(): Promise<string> {
      const { result } = await createSalesChannelsWorkflow(store.container).run({
        input: { salesChannelsData: [{ name: "Wholesale" }] },
      })
      const id = result[0]?.id ?? ""
      const locations = await store.container.resolve(Modules.STOCK_LOCATION).listStockLocations({})
      await linkSalesChannelsToStockLocationWorkflow(store.container).run({
        input: { id: locations[0]?.id ?? "", add: [id] },
      })
      const products = await store.container.resolve(Modules.PRODUCT).listProducts({})
      await linkProductsToSalesChannelWorkflow(store.container).run({
        input: { id, add: products.map((product) => product.id) },
      })
      return id
    }

    async function checkoutWith(provider_id: string, channelId: string): Promise<PreparedCheckout> {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      await store.container.resolve(Modules.CART).updateCarts(cartId, { sales_channel_id: channelId })
      const collectionId = await shopper.collection(cartId)
      const { status, data } = await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
        provider_id,
      })
      expect(status).toBe(200)
      return { cartId, collectionId, session: readSession(data) }
    }

    it("with a provider for each sales channel places each order in its channel", async () => {
      await offerBoth(store)
      const channels = [store.seeded.salesChannelId, await secondChannel()]
      const checkouts = [
        await checkoutWith(FIRST, String(channels[0])),
        await checkoutWith(SECOND, String(channels[1])),
      ]
      for (const [place, { cartId, session }] of checkouts.entries()) {
        await payAndNotify(store, session.data.payment_request_id)
        expect(await endOf(store, cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
        const { order_id, provider_id } = await ledgerRow(store, session.id)
        const order = await store.knex("order").where({ id: order_id }).first("sales_channel_id")
        expect([provider_id, order.sales_channel_id]).toEqual([[FIRST, SECOND][place], channels[place]])
      }
    })

    it("with orders before payment of one provider has the case of an order whose newer link is the other's", async () => {
      await offerBoth(store)
      const path = `/crypto-payments/settings/${SECOND}`
      const { data } = await store.http.get(`/admin${path}`, await store.admin())
      const { version } = data.settings
      await changes().must(path, {
        version,
        order_placement: "before_payment",
        unpaid_order_ttl_minutes: 30,
      })
      const { cartId, collectionId, session } = await checkoutWith(SECOND, store.seeded.salesChannelId)
      const { order } = (await store.shopper().complete(cartId)).data
      await changes().link(collectionId)
      await changes().must("/order-edits", { order_id: order.id })
      await settleLater(store, 45)
      expect(await orderStatus(store, order.id as string)).toBe("pending")
      expect((await ledgerRow(store, session.id)).attention_reason).toBe("order_not_canceled")
    })

    it("with loyalty points takes what they do not pay, and the order owes nothing", async () => {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      await createCartCreditLinesWorkflow(store.container).run({
        input: [{ cart_id: cartId, amount: 5, reference: "loyalty", reference_id: "points", metadata: {} }],
      })
      const collectionId = await shopper.collection(cartId)
      const session = readSession((await shopper.openSession(collectionId)).data)
      expect(session.data.amount).toBe("15.01")
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        captures: ["15.01"],
        transactions: ["15.01"],
        ledger: [{ state: "captured", settled: true, attention: null }],
      })
      const { order_id } = await ledgerRow(store, session.id)
      expect((await changes().books(String(order_id))).pending).toBe(0)
    })

    async function linkOf(orderId: string) {
      const { data, status } = await changes().post(`/crypto-payments/orders/${orderId}/payment-link`, {
        provider_id: FIRST,
      })
      expect([status, data.message]).toEqual([200, undefined])
      const { payment_link } = data
      const row = await store.knex("crypto_payment_request").where({ payment_link }).first()
      return row as Record<"amount" | "payment_request_id" | "session_id", string>
    }

    async function payRest(orderId: string): Promise<string> {
      const row = await linkOf(orderId)
      await payAndNotify(store, row.payment_request_id)
      await settleDue(store)
      expect(await ledgerRow(store, row.session_id)).toMatchObject({
        state: "captured",
        attention_reason: null,
        order_id: orderId,
      })
      expect((await changes().books(orderId)).pending).toBeCloseTo(0, 2)
      return row.amount
    }

    // Another store's captures and refunds have other ids.
    it.each([
      ["their own word", [[10, "import", "old-shop"]], "20.00"],
      ["core's word for a capture", [[10, "capture", "capt_old"]], "20.00"],
      [
        "core's words for a capture and a refund",
        [
          [10, "capture", "capt_old"],
          [-4, "refund", "ref_old"],
        ],
        "24.00",
      ],
      ["core's word and no id", [[10, "capture", undefined]], "20.00"],
    ] as [string, [number, string, string | undefined][], string][])(
      "with an order that was imported with its payments under %s takes only what is outstanding",
      async (_, transactions, expected) => {
        const { result } = await createOrderWorkflow(store.container).run({
          input: {
            region_id: store.seeded.regions.usd,
            sales_channel_id: store.seeded.salesChannelId,
            email: "imported@example.test",
            currency_code: "usd",
            items: [{ title: "Sold elsewhere", quantity: 1, unit_price: 30 }],
            transactions: transactions.map(([amount, reference, reference_id]) => ({
              amount,
              currency_code: "usd",
              reference,
              ...(reference_id === undefined ? {} : { reference_id }),
            })),
          },
        })
        const { id } = result as { id: string }
        expect((await changes().books(id)).pending.toFixed(2)).toBe(expected)
        expect(await payRest(id)).toBe(expected)
        store.leavesDamage("the other store's captures are not in this one, and the audit says so")
      }
    )

    it("with an order that was paid by a capture of another order takes only what is outstanding", async () => {
      const orderId = await changes().draft({ email: "other@example.test" })
      const collectionId = await changes().collection({ orderId }, 10)
      await changes().must(`/payment-collections/${collectionId}/mark-as-paid`, { order_id: orderId })
      const capture = await store.knex("capture").first("id")
      const { result } = await createOrderWorkflow(store.container).run({
        input: {
          region_id: store.seeded.regions.usd,
          sales_channel_id: store.seeded.salesChannelId,
          email: "split@example.test",
          currency_code: "usd",
          items: [{ title: "Split off", quantity: 1, unit_price: 30 }],
          transactions: [
            { amount: 10, currency_code: "usd", reference: "capture", reference_id: capture.id as string },
          ],
        },
      })
      expect(await payRest((result as { id: string }).id)).toBe("20.00")
      store.leavesDamage("one capture is booked on two orders")
    })

    /** Ten percent in the United States. */
    async function whileTaxed(job: () => Promise<void>): Promise<void> {
      const tax = store.container.resolve(Modules.TAX)
      const region = await tax.createTaxRegions({
        country_code: "us",
        provider_id: "tp_system",
        default_tax_rate: { name: "Tax", code: "tax", rate: 10 },
      })
      await job().finally(async () => {
        await tax.deleteTaxRegions(region.id)
      })
    }

    const draft = async (address = {}): Promise<string> => await changes().draft(address)
    const TO_US = { shipping_address: { country_code: "us" } }

    it("with a draft order whose taxes rise while its link is paid has another link for them", async () => {
      await whileTaxed(async () => {
        const orderId = await draft()
        const untaxed = await linkOf(orderId)
        await changes().must(`/draft-orders/${orderId}`, TO_US)
        await payAndNotify(store, untaxed.payment_request_id)
        await settleDue(store)
        expect(await ledgerRow(store, untaxed.session_id)).toMatchObject({
          state: "captured",
          amount: "15.01",
          attention_reason: null,
        })
        expect((await changes().books(orderId)).pending).toBeCloseTo(1.5, 2)
        expect(await payRest(orderId)).toBe("1.50")
      })
    })

    it("with a draft order whose taxes rise asks for them in its next link", async () => {
      await whileTaxed(async () => {
        const orderId = await draft()
        expect((await linkOf(orderId)).amount).toBe("15.01")
        await changes().must(`/draft-orders/${orderId}`, TO_US)
        expect(await payRest(orderId)).toBe("16.51")
      })
    })

    it("with a draft order whose taxes fall gives whoever asks another link, and withdraws the one that asks for them", async () => {
      await whileTaxed(async () => {
        const orderId = await draft(TO_US)
        const taxed = await linkOf(orderId)
        expect(taxed.amount).toBe("16.51")
        const tax = store.container.resolve(Modules.TAX)
        const [rate] = await tax.listTaxRates({})
        await tax.updateTaxRates(String(rate?.id), { rate: 5 })
        await changes().must(`/draft-orders/${orderId}`, TO_US)
        await settleDue(store)
        expect(await payRest(orderId)).toBe("15.76")
        expect((await ledgerRow(store, taxed.session_id)).state).toBe("superseded")
      })
    })

    it("with a taxed draft order takes the rest of a payment for a part", async () => {
      await whileTaxed(async () => {
        const orderId = await draft(TO_US)
        expect((await changes().books(orderId)).pending).toBeCloseTo(16.51, 2)
        const part = await changes().link(await changes().collection({ orderId }, 15.01))
        await payAndNotify(store, part.paymentRequestId)
        await settleDue(store)
        expect((await changes().books(orderId)).pending).toBeCloseTo(1.5, 2)
        expect(await payRest(orderId)).toBe("1.50")
      })
    })

    it("with a taxed order that an edit made dearer asks for the edit with its tax", async () => {
      await whileTaxed(async () => {
        const { orderId } = await placePaidOrder(store)
        await changes().raise(orderId)
        expect(await payRest(orderId)).toBe("16.51")
        expect(await store.knex("crypto_payment_request").distinct("attention_reason")).toEqual([
          { attention_reason: null },
        ])
      })
    })

    it("whose region changes its currency keeps the carts that were begun, and their paid orders", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await updateRegionsWorkflow(store.container).run({
        input: { selector: { id: store.seeded.regions.usd }, update: { currency_code: "aed" } },
      })
      try {
        await payAndNotify(store, session.data.payment_request_id)
        const end = await endOf(store, cartId)
        expect(end).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
        const order = await store.knex("order").first("currency_code")
        const collection = await store.knex("payment_collection").where({ id: collectionId }).first()
        expect([order.currency_code, collection.currency_code]).toEqual(["usd", "usd"])
        expect((await readEndState(store.knex, cartId)).orders).toBe(1)
      } finally {
        await updateRegionsWorkflow(store.container).run({
          input: { selector: { id: store.seeded.regions.usd }, update: { currency_code: "usd" } },
        })
      }
    })
  },
  { CRYPTO_PAYMENTS_SECOND_PROVIDER: "second" }
)
