import { Modules } from "@medusajs/framework/utils"
import { createOrderWorkflow } from "@medusajs/medusa/core-flows"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { readEndState } from "../../support/end-state"
import { makeDraft } from "../../support/draft-order"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue, settleToEnd } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { PLACED_FIRST, placeUnpaidOrder, type UnpaidOrder } from "../../support/unpaid-order"
import { waitUntil } from "../../support/wait-until"

/**
 * Core lowers what the collection of an unpaid order asks for with a return, an exchange or a claim, and does not raise
 * it when that is cancelled.
 */
describeStore(
  "the link of an unpaid order",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)
    const newest = async (table: string): Promise<string> =>
      (await store.knex(table).orderBy("created_at", "desc").first("id")).id as string

    const begunAndCanceled: [string, string, (orderId: string) => Promise<() => Promise<unknown>>][] = [
      [
        "return",
        "20.01",
        async (orderId) => {
          const id = await changes().requestReturn(orderId)
          return async () => await changes().must(`/returns/${id}/cancel`)
        },
      ],
      [
        "exchange",
        "21.01",
        async (orderId) => {
          await changes().exchange(orderId, 1)
          return async () => await changes().must(`/exchanges/${await newest("order_exchange")}/cancel`)
        },
      ],
      [
        "claim",
        "21.01",
        async (orderId) => {
          await changes().claim(orderId, 1)
          return async () => await changes().must(`/claims/${await newest("order_claim")}/cancel`)
        },
      ],
    ]

    async function offered(orderId: string): Promise<CryptoPaymentRequestRow> {
      const { payment_link, crypto_payment } = await changes().must(
        `/crypto-payments/orders/${orderId}/payment-link`
      )
      const row = (await store
        .knex("crypto_payment_request")
        .where({ payment_link })
        .first()) as CryptoPaymentRequestRow
      expect(crypto_payment).toMatchObject({
        id: row.id,
        payment_link,
        amount: row.amount,
        order_id: orderId,
      })
      return row
    }

    async function expectPaidInFull({ cartId, orderId }: UnpaidOrder): Promise<void> {
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        collection: { status: "completed", captured: "20.01", refunded: "0.00" },
        captures: ["20.01"],
        transactions: ["20.01"],
      })
      expect(await changes().books(orderId)).toEqual({ pending: 0, paymentStatus: "captured" })
      const cases = await store.knex("crypto_payment_request").whereNotNull("attention_reason")
      expect(cases).toEqual([])
    }

    describe.each(begunAndCanceled)("whose %s was requested and cancelled", (_, meanwhile, begin) => {
      async function kept(): Promise<UnpaidOrder> {
        const order = await placeUnpaidOrder(store)
        const cancel = await begin(order.orderId)
        await settleDue(store)
        expect((await offered(order.orderId)).amount).toBe(meanwhile)
        await cancel()
        await settleDue(store)
        return order
      }

      it("asks for all that is owed again when the merchant asks for it", async () => {
        const order = await kept()
        const row = await offered(order.orderId)
        expect(row.amount).toBe("20.01")
        await payAndNotify(store, row.payment_request_id as string)
        await settleDue(store)
        await expectPaidInFull(order)
      })
    })

    const returnAndKeep = async (order: UnpaidOrder): Promise<void> => {
      const id = await changes().requestReturn(order.orderId)
      await settleDue(store)
      await changes().must(`/returns/${id}/cancel`)
      await settleDue(store)
    }

    it.each([
      ["", async (): Promise<void> => undefined],
      [
        " and an exchange",
        async (order: UnpaidOrder): Promise<void> => {
          const [, second] = await changes().items(order.orderId)
          const sent = second === undefined ? [] : [second]
          await changes().must(`/orders/${order.orderId}/fulfillments`, { items: sent })
          await changes().exchange(order.orderId, 40, sent)
        },
      ],
    ])("is of all that is owed when an edit%s came between a return and its end", async (_, change) => {
      const order = await placeUnpaidOrder(store)
      await payAndNotify(store, order.session.data.payment_request_id)
      await settleDue(store)
      const returned = await changes().requestReturn(order.orderId)
      await changes().raise(order.orderId)
      await changes().raise(order.orderId)
      await change(order)
      await changes().must(`/returns/${returned}/cancel`)
      const owed = await changes().owed(order.orderId)
      const { payment_link } = await changes().must(`/crypto-payments/orders/${order.orderId}/payment-link`)
      const row = await store.knex("crypto_payment_request").where({ payment_link }).first()
      expect(row.amount).toBe(owed.toFixed(2))
      await payAndNotify(store, row.payment_request_id)
      await settleDue(store)
      expect(await changes().owed(order.orderId)).toBeCloseTo(0)
    })

    it("is shown to the shopper with all that is owed after a cancelled return", async () => {
      const order = await placeUnpaidOrder(store)
      await returnAndKeep(order)
      const { data } = await waitUntil(
        async () => await store.shopper().statusOf(order.session.id, order.cartId),
        (answer) => answer.data.payment_link !== undefined
      )
      const row = await store
        .knex("crypto_payment_request")
        .where({ payment_link: data.payment_link })
        .first("amount")
      expect(row.amount).toBe("20.01")
    })

    it("is not replaced for a return that anybody may request, and brings all that is owed", async () => {
      const order = await placeUnpaidOrder(store)
      const id = await changes().requestReturn(order.orderId)
      await settleDue(store)
      expect(await ledgerRow(store, order.session.id)).toMatchObject({ state: "open", amount: "20.01" })
      const opened = readSession((await store.shopper().openSession(order.collectionId)).data)
      expect(opened.data.payment_link).toBe(order.session.data.payment_link)
      expect(await offered(order.orderId)).toMatchObject({
        amount: "20.01",
        payment_link: order.session.data.payment_link,
      })
      await payAndNotify(store, order.session.data.payment_request_id)
      await settleDue(store)
      await changes().must(`/returns/${id}/cancel`)
      await expectPaidInFull(order)
    })

    it("stays when core has lowered its collection and all is owed again, and is not read for that", async () => {
      const order = await placeUnpaidOrder(store)
      // As after a return that is cancelled before the plugin has noticed it.
      await store
        .knex("payment_collection")
        .where({ id: order.collectionId })
        .update({ amount: 5, raw_amount: JSON.stringify({ value: "5", precision: 20 }) })
      await settleDue(store)
      await store.gateway.clearCalls()
      await store.runSchedule()
      expect(await store.gateway.calls("GET")).toEqual([])
      expect(await ledgerRow(store, order.session.id)).toMatchObject({ state: "open", amount: "20.01" })
      await payAndNotify(store, order.session.data.payment_request_id)
      await endOf(store, order.cartId)
      await settleDue(store)
      await settleToEnd(store, (await ledgerRow(store, order.session.id)).id)
      await expectPaidInFull(order)
    })

    const returnOneAndKeep = async (orderId: string): Promise<void> => {
      const id = await changes().requestReturn(orderId, 1)
      await settleDue(store)
      await changes().must(`/returns/${id}/cancel`)
      await settleDue(store)
    }

    const keptOnes: [string, () => Promise<string>][] = [
      [
        "a draft order",
        async () => {
          const { orderId } = await makeDraft(store, 2)
          await changes().must(`/draft-orders/${orderId}/convert-to-order`)
          return orderId
        },
      ],
      [
        "the rest of an order that was paid before it grew",
        async () => {
          const order = await placeUnpaidOrder(store)
          await payAndNotify(store, order.session.data.payment_request_id)
          await settleDue(store)
          await changes().raise(order.orderId)
          await changes().raise(order.orderId)
          return order.orderId
        },
      ],
    ]

    it.each(keptOnes)(
      "asks for all that is owed after a cancelled return, and stays, if it is of %s",
      async (_, make) => {
        const orderId = await make()
        expect((await offered(orderId)).amount).toBe("30.02")
        await returnOneAndKeep(orderId)
        const row = await offered(orderId)
        expect(row.amount).toBe("30.02")
        // As after another return that is cancelled before the plugin has noticed it.
        await store
          .knex("payment_collection")
          .where({ id: row.payment_collection_id })
          .update({ amount: 15.01, raw_amount: JSON.stringify({ value: "15.01", precision: 20 }) })
        await store.runSchedule()
        expect(await ledgerRow(store, row.session_id)).toMatchObject({ state: "open", amount: "30.02" })
        await payAndNotify(store, row.payment_request_id as string)
        await settleDue(store)
        expect(await changes().books(orderId)).toMatchObject({ pending: 0 })
        expect(await store.knex("crypto_payment_request").whereNotNull("attention_reason")).toEqual([])
      }
    )

    it("asks for all that is owed when its first link is made after a cancelled return", async () => {
      const id = await changes().draft({ quantity: 2 })
      await changes().must(`/draft-orders/${id}/convert-to-order`)
      await returnOneAndKeep(id)
      expect((await changes().openCollections(id)).map(({ amount }) => amount)).toEqual(["15.01"])
      expect((await offered(id)).amount).toBe("30.02")
    })

    it("asks for all that is owed again when a bank transfer has bounced", async () => {
      const { orderId } = await makeDraft(store, 2)
      const transfer = async (amount: number): Promise<void> => {
        await store.container.resolve(Modules.ORDER).addOrderTransactions({
          order_id: orderId,
          amount,
          currency_code: "usd",
          reference: "bank-transfer",
          reference_id: "transfer_1",
        })
        await settleDue(store)
      }
      await transfer(10)
      expect((await offered(orderId)).amount).toBe("20.02")
      await transfer(-10)
      expect((await offered(orderId)).amount).toBe("30.02")
    })

    it("brings all that a draft order owes when it was replaced for a return that was cancelled", async () => {
      const { orderId, id, link } = await makeDraft(store, 2)
      await changes().must(`/draft-orders/${orderId}/convert-to-order`)
      await returnOneAndKeep(orderId)
      await payAndNotify(store, link.payment_request_id)
      await settleDue(store)
      await settleToEnd(store, id)
      const row = await store.knex("crypto_payment_request").where({ id }).first()
      expect(row).toMatchObject({ state: "captured", attention_reason: null })
      expect(await changes().books(orderId)).toEqual({ pending: 0, paymentStatus: "captured" })
    })

    it("of a collection for a part asks for that part, which is no case, and the merchant's for all that is owed", async () => {
      const orderId = await changes().draft({ quantity: 3 })
      await changes().must(`/draft-orders/${orderId}/convert-to-order`)
      const { paymentRequestId, sessionId } = await changes().link(
        await changes().collection({ orderId }, 20)
      )
      await payAndNotify(store, paymentRequestId)
      await settleDue(store)
      expect(await ledgerRow(store, sessionId)).toMatchObject({
        state: "captured",
        amount: "20.00",
        attention_reason: null,
      })
      expect((await offered(orderId)).amount).toBe("25.03")
    })

    it("is for all that is owed when a merchant asks for it after they made a collection for a part", async () => {
      const order = await placeUnpaidOrder(store)
      await changes().collection(order, 8)
      expect((await offered(order.orderId)).amount).toBe("20.01")
    })

    it("stays the one that the shopper's page shows when the merchant makes a link for a part", async () => {
      const { orderId, cartId, session } = await placeUnpaidOrder(store)
      await changes().link(await changes().collection({ orderId }, 8))
      const { data } = await store.shopper().statusOf(session.id, cartId)
      expect(data.payment_link).toBe(session.data.payment_link)
    })

    it("is never of what is owed in another currency", async () => {
      const order = await placeUnpaidOrder(store)
      // As a refused switch of the cart's region leaves it.
      await store
        .knex("payment_collection")
        .where({ id: order.collectionId })
        .update({
          currency_code: "aed",
          amount: 73.5,
          raw_amount: JSON.stringify({ value: "73.5", precision: 20 }),
        })
      const { status, data } = await store.shopper().openSession(order.collectionId)
      expect([status, data.message]).toEqual([400, expect.stringContaining("another currency")])
      expect(await offered(order.orderId)).toMatchObject({ amount: "20.01", currency_code: "usd" })
      const asked = (await store.gateway.payments()).map(({ currency_symbol }) => currency_symbol)
      expect(new Set(asked)).toEqual(new Set(["USD"]))
      store.leavesDamage("the collection of the cart is in another currency")
    })

    it.each([
      ["is in another currency", { currency_code: "eur" }, "unsupported_currency"],
      ["has no e-mail", { email: null }, "email_missing"],
      ["has an e-mail that is no address", { email: "guest" }, "email_invalid"],
    ])("is refused with a code when the order %s, and nothing is made for it", async (_, with_, code) => {
      const { result } = await createOrderWorkflow(store.container).run({
        input: {
          region_id: store.seeded.regions.usd,
          sales_channel_id: store.seeded.salesChannelId,
          email: "guest@example.test",
          currency_code: "usd",
          items: [{ title: "Sold elsewhere", quantity: 1, unit_price: 30 }],
        },
      })
      const { id } = result as { id: string }
      await store.knex("order").where({ id }).update(with_)
      const { status, data } = await changes().post(`/crypto-payments/orders/${id}/payment-link`)
      expect([status, data.code]).toEqual([400, code])
      expect(await store.knex("payment_collection")).toEqual([])
    })
  },
  PLACED_FIRST
)
