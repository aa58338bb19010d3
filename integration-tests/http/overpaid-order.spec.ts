import type { AxiosResponse } from "axios"
import { readEndState } from "../support/end-state"
import { OrderChanges } from "../support/order-changes"
import { raiseOrder, reprice } from "../support/order-edit"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { readSession, type PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

describeStore(
  "an order that becomes cheaper before its link is paid",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)

    async function placedUnpaid(): Promise<PreparedCheckout & { orderId: string }> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      const { data } = await shopper.complete(checkout.cartId)
      return { ...checkout, orderId: data.order.id }
    }

    /** 20.01 becomes 15.00: the item is sold for 10.00. */
    async function lower(orderId: string, unitPrice = 10): Promise<void> {
      const items = await changes().items(orderId)
      await reprice(
        changes().post,
        orderId,
        items.map((item) => ({ ...item, unit_price: unitPrice }))
      )
    }

    const status = async ({ session, cartId }: PreparedCheckout): Promise<AxiosResponse> =>
      await store.shopper().get(`/crypto-payments/${session.id}?cart_id=${cartId}`)

    /** Paid at the moment at which the merchant edits: nobody at the gateway or here can stop that. */
    async function paidTooMuch(): Promise<PreparedCheckout & { orderId: string; id: string }> {
      const order = await placedUnpaid()
      await store.gateway.pay(order.session.data.payment_request_id)
      await lower(order.orderId)
      await settleDue(store)
      await endOf(store, order.cartId)
      return { ...order, id: (await ledgerRow(store, order.session.id)).id }
    }

    it("gives a link of what is owed, and watches the old one", async () => {
      const order = await placedUnpaid()
      await lower(order.orderId)
      const { data } = await status(order)
      expect(data).toMatchObject({ status: "awaiting_payment", payment_link: expect.any(String) })
      expect(data.payment_link).not.toBe(order.session.data.payment_link)
      const rows = await store
        .knex("crypto_payment_request")
        .orderBy("created_at")
        .select("state", "amount", "next_check_at")
      expect(rows).toEqual([
        { state: "superseded", amount: "20.01", next_check_at: expect.any(Date) },
        { state: "open", amount: "15.00", next_check_at: expect.any(Date) },
      ])
      const again = readSession((await store.shopper().openSession(order.collectionId)).data)
      expect(again.data.payment_link).toBe(data.payment_link)

      await payAndNotify(store, again.data.payment_request_id)
      await waitUntil(
        async () => await ledgerRow(store, again.id),
        ({ settled_at }) => settled_at !== null
      )
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        captures: ["15.00"],
        transactions: ["15.00"],
      })
      expect((await changes().books(order.orderId)).pending).toBe(0)
    })

    it("gives it without any event, by the schedule", async () => {
      const order = await placedUnpaid()
      await lower(order.orderId)
      await waitUntil(
        async () => await store.knex("crypto_payment_request").where({ state: "open", amount: "15.00" }),
        (rows) => rows.length === 1
      )
      // As if the edit's event had been lost: the old link alone is there.
      await lower(order.orderId, 5)
      await settleDue(store)
      expect((await ledgerOpen()).map(({ amount }) => amount)).toEqual(["10.00"])
    })

    it("gives no link when nothing is owed any more", async () => {
      const order = await placedUnpaid()
      await lower(order.orderId, 0)
      await changes().must("/order-edits", { order_id: order.orderId })
      const [method] = await store.knex("order_shipping").where({ order_id: order.orderId }).select("*")
      expect(method).toBeDefined()
      await changes().post(`/order-edits/${order.orderId}/confirm`)
      const { data } = await status(order)
      expect(data.payment_link).not.toBe(order.session.data.payment_link)
    })

    it("is overpaid when the old link was paid, and says by how much", async () => {
      const { id, cartId, orderId } = await paidTooMuch()
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: ["20.01"],
        transactions: ["20.01"],
        ledger: [{ state: "captured", settled: true, attention: "order_overpaid" }],
      })
      expect(await ledgerRowById(id)).toMatchObject({ attention_amount: "5.01" })
      expect((await changes().books(orderId)).pending).toBeCloseTo(-5.01)
    })

    it("closes the case once the excess is registered as refunded, and is not called refunded", async () => {
      const { id, orderId } = await paidTooMuch()
      await waitUntil(
        async () => await ledgerRowById(id),
        ({ next_check_at }) => next_check_at === null
      )
      const refunded = await changes().post(`/crypto-payments/${id}/refunds`, {
        amount: "5.01",
        reference: "0xabc",
      })
      expect(refunded.status).toBe(200)
      expect(await ledgerRowById(id)).toMatchObject({ state: "captured", attention_reason: null })
      expect(await changes().books(orderId)).toEqual({ pending: 0, paymentStatus: "partially_refunded" })
    })

    it("closes the case by the schedule once the order costs what was paid", async () => {
      const { id, orderId } = await paidTooMuch()
      await lower(orderId, 15.01)
      await settleDue(store)
      expect(await ledgerRowById(id)).toMatchObject({ attention_reason: null, attention_amount: null })
    })

    it("is no case when a paid order becomes cheaper: Medusa shows the refund that is due", async () => {
      const { orderId, id } = await placePaidOrder(store)
      await lower(orderId)
      await changes().must(`/crypto-payments/${id}/settle`)
      await settleDue(store)
      expect(await ledgerRowById(id)).toMatchObject({ attention_reason: null })
      expect((await changes().books(orderId)).pending).toBeCloseTo(-5.01)
    })

    it("is overpaid when two links of one outstanding amount are paid, but for what a later one exceeds", async () => {
      const { orderId } = await placePaidOrder(store)
      await raiseOrder(changes().post, orderId, store.seeded.variantIds[1])
      const first = await changes().link(await changes().collection({ orderId }, 10))
      const second = await changes().link(await changes().collection({ orderId }, 15.01))
      // Both are paid before the store hears of either.
      await store.gateway.pay(first.paymentRequestId)
      await store.gateway.pay(second.paymentRequestId)
      await store.gateway.notify(first.paymentRequestId)
      await waitUntil(
        async () => await ledgerRow(store, first.sessionId),
        ({ settled_at }) => settled_at !== null
      )
      await store.gateway.notify(second.paymentRequestId)
      const row = await waitUntil(
        async () => await ledgerRow(store, second.sessionId),
        ({ settled_at }) => settled_at !== null
      )
      expect(row).toMatchObject({ attention_reason: "order_overpaid", attention_amount: "10.00" })
    })

    async function ledgerRowById(id: string): ReturnType<typeof ledgerRow> {
      return await store.knex("crypto_payment_request").where({ id }).first()
    }

    async function ledgerOpen(): Promise<{ amount: string }[]> {
      return await store.knex("crypto_payment_request").where({ state: "open" }).select("amount")
    }
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment", CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30" }
)
