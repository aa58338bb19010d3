import {
  completeCartWorkflow,
  createOrderPaymentCollectionWorkflow,
  createOrderWorkflow,
  createPaymentSessionsWorkflow,
} from "@medusajs/medusa/core-flows"
import { heard, refusing } from "../../other-plugin/src/heard"
import { makeDraft } from "../../support/draft-order"
import { readCollectionEnd, readEndState, PAID_OK } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore, STORE_WITH_OTHER_PLUGIN } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** A plugin of quotes or subscriptions makes orders by core's workflows. Another one hooks the routes that we hook. */
describeStore(
  "next to other plugins",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)
    beforeEach(() => {
      heard.length = 0
      refusing.clear()
    })

    interface MadeOrder {
      orderId: string
      collectionId: string
      sessionId: string
      paymentRequestId: string
    }

    /** What a subscription's script does each month: it makes an order, and a session to pay it. */
    async function orderOfMonth(month: string): Promise<MadeOrder> {
      const { result } = await createOrderWorkflow(store.container).run({
        input: {
          region_id: store.seeded.regions.usd,
          sales_channel_id: store.seeded.salesChannelId,
          email: "subscriber@example.test",
          currency_code: "usd",
          items: [{ title: `Box of ${month}`, quantity: 1, unit_price: 20.01 }],
        },
      })
      const orderId = (result as { id: string }).id
      const { result: collections } = await createOrderPaymentCollectionWorkflow(store.container).run({
        input: { order_id: orderId, amount: 20.01 },
      })
      const collectionId = String((collections as { id: string }[])[0]?.id)
      return { orderId, collectionId, ...(await openSession(collectionId)) }
    }

    async function openSession(
      collectionId: string
    ): Promise<Pick<MadeOrder, "sessionId" | "paymentRequestId">> {
      const { result } = await createPaymentSessionsWorkflow(store.container).run({
        input: { payment_collection_id: collectionId, provider_id: "pp_crypto_default" },
      })
      const { id, data } = result as unknown as { id: string; data: { payment_request_id: string } }
      return { sessionId: id, paymentRequestId: data.payment_request_id }
    }

    const settled = async (sessionId: string): Promise<object> =>
      await waitUntil(
        async () => await ledgerRow(store, sessionId),
        ({ settled_at, lease_until }) => settled_at !== null && lease_until === null
      )

    it("a subscription's orders each have a link, and each is paid by its own", async () => {
      const march = await orderOfMonth("March")
      const april = await orderOfMonth("April")
      expect(april.paymentRequestId).not.toBe(march.paymentRequestId)

      await payAndNotify(store, april.paymentRequestId)
      expect(await settled(april.sessionId)).toMatchObject({
        state: "captured",
        order_id: april.orderId,
        attention_reason: null,
      })
      expect((await readCollectionEnd(store.knex, march.collectionId)).captures).toEqual([])
      expect((await changes().books(march.orderId)).pending).toBe(20.01)

      await payAndNotify(store, march.paymentRequestId)
      await settled(march.sessionId)
      for (const { orderId, collectionId } of [march, april]) {
        expect(await readCollectionEnd(store.knex, collectionId)).toEqual({
          status: "completed",
          captured: "20.01",
          refunded: "0.00",
          captures: ["20.01"],
        })
        expect((await changes().books(orderId)).pending).toBe(0)
        const transactions = await store.knex("order_transaction").where({ order_id: orderId })
        expect(transactions.map(({ amount }) => Number(amount))).toEqual([20.01])
      }
    })

    it("a subscription's script that runs again asks for one link, and for no second payment", async () => {
      const { collectionId, orderId, paymentRequestId } = await orderOfMonth("May")
      const again = await openSession(collectionId)
      expect(again.paymentRequestId).toBe(paymentRequestId)
      await payAndNotify(store, paymentRequestId)
      await settled(again.sessionId)
      const isOpened = await openSession(collectionId).then(
        () => true,
        () => false
      )
      expect(isOpened).toBe(false)
      await settleDue(store)
      expect((await readCollectionEnd(store.knex, collectionId)).captures).toEqual(["20.01"])
      expect((await changes().books(orderId)).pending).toBe(0)
    })

    it("a quote is paid as it was negotiated, and what it cost before is not asked for", async () => {
      const { orderId, link } = await makeDraft(store)
      // The merchant answers the quote with another price.
      await changes().must(`/draft-orders/${orderId}/edit`)
      const [item] = await store.knex("order_item").where({ order_id: orderId }).select("item_id")
      await changes().must(`/draft-orders/${orderId}/edit/items/item/${String(item?.item_id)}`, {
        quantity: 1,
        unit_price: 12.5,
      })
      await changes().must(`/draft-orders/${orderId}/edit/request`)
      await changes().must(`/draft-orders/${orderId}/edit/confirm`)
      await changes().must(`/draft-orders/${orderId}/convert-to-order`)

      const { payment_link } = await changes().must(`/crypto-payments/orders/${orderId}/payment-link`, {
        provider_id: "pp_crypto_default",
      })
      expect(payment_link).not.toBe(link.payment_link)
      const row = await store.knex("crypto_payment_request").where({ payment_link }).first()
      expect(row.amount).toBe("12.50")
      await payAndNotify(store, row.payment_request_id as string)
      expect(await settled(row.session_id as string)).toMatchObject({
        state: "captured",
        attention_reason: null,
        order_id: orderId,
      })
      expect(await changes().books(orderId)).toMatchObject({ pending: 0, paymentStatus: "captured" })
      const first = await store
        .knex("crypto_payment_request")
        .where({ payment_link: link.payment_link })
        .first()
      expect(first).toMatchObject({ state: "superseded", next_check_at: expect.any(Date) })
    })

    it("a plugin with a middleware on each of our routes and a handler on each of core's hooks changes nothing", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect(heard).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^POST \/store\/payment-collections\/.+\/payment-sessions$/),
          "complete-cart.validate",
          "complete-cart.orderCreated",
        ])
      )

      const { order_id: orderId } = await ledgerRow(store, session.id)
      const canceled = await changes().post(`/orders/${String(orderId)}/cancel`)
      expect([canceled.status, canceled.data.message]).toEqual([400, expect.stringContaining("refund")])
      const completed = await shopper.complete(cartId)
      expect([completed.status, completed.data.order?.id]).toEqual([200, orderId])
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("an order that another plugin's hook refuses is a case, and is placed once when it may be", async () => {
      const { cartId, session } = await store.shopper().checkout()
      refusing.add("complete-cart.validate")
      await payAndNotify(store, session.data.payment_request_id)
      const row = await waitUntil(
        async () => await ledgerRow(store, session.id),
        ({ attention_reason }) => attention_reason !== null
      )
      expect(row).toMatchObject({ state: "captured", attention_reason: "paid_without_order" })

      refusing.clear()
      await changes().must(`/crypto-payments/${row.id}/settle`)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("an order that another plugin forbids to cancel stays, with its money", async () => {
      const { id, orderId } = await placePaidOrder(store)
      await changes().must(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: "back" })
      refusing.add("cancel-order.orderCanceled")
      expect((await changes().post(`/orders/${orderId}/cancel`)).status).toBe(500)
      await settleDue(store)
      expect(await store.knex("order").where({ id: orderId }).first("status")).toEqual({ status: "pending" })
      expect(await store.knex("crypto_payment_request").where({ id }).first("state")).toEqual({
        state: "refunded",
      })
    })

    it("nothing of another plugin is taken for a completion of carts", async () => {
      const { data } = await store.http.get("/admin/crypto-payments/health", await store.admin())
      expect(data.completion_replaced_by).toEqual([])
    })

    it("core takes one handler for each hook, so we take none", () => {
      expect(() => {
        completeCartWorkflow.hooks.validate(() => undefined)
      }).toThrow("Cannot define multiple hook handlers for the validate hook")
    })
  },
  {},
  STORE_WITH_OTHER_PLUGIN
)
