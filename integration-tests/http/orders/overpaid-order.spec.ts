import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import type { AxiosResponse } from "axios"
import { runAudit, shortFindings } from "../../support/audit"
import { readEndState } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { settleDue, settleToEnd } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

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
      await changes().reprice(
        orderId,
        items.map((item) => ({ ...item, unit_price: unitPrice }))
      )
    }

    const status = async ({ session, cartId }: PreparedCheckout): Promise<AxiosResponse> =>
      await store.shopper().statusOf(session.id, cartId)

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
      const again = readSession((await store.shopper().openSession(order.collectionId)).data)
      const { data } = await status(order)
      expect(data).toMatchObject({ status: "awaiting_payment", payment_link: again.data.payment_link })
      expect(data.payment_link).not.toBe(order.session.data.payment_link)
      const rows = store
        .knex("crypto_payment_request")
        .orderBy("created_at")
        .select("state", "amount", "next_check_at")
      expect(await rows).toEqual([
        { state: "superseded", amount: "20.01", next_check_at: expect.any(Date) },
        { state: "open", amount: "15.00", next_check_at: expect.any(Date) },
      ])

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

    it("keeps the old link while nobody asks, whatever is heard of the change, and watches it", async () => {
      const order = await placedUnpaid()
      await lower(order.orderId)
      await settleDue(store)
      await store.untilQuiet()
      const rows = await store.knex("crypto_payment_request").select("state", "amount", "next_check_at")
      expect(rows).toEqual([{ state: "open", amount: "20.01", next_check_at: expect.any(Date) }])
      expect((await status(order)).data).not.toHaveProperty("payment_link")
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
      await settleToEnd(store, id)
      const refunded = await changes().post(`/crypto-payments/${id}/refunds`, {
        amount: "5.01",
        reference: "0xabc",
      })
      expect(refunded.status).toBe(200)
      expect(await ledgerRowById(id)).toMatchObject({ state: "captured", attention_reason: null })
      expect(await changes().books(orderId)).toEqual({ pending: 0, paymentStatus: "partially_refunded" })
    })

    it("closes the case by the schedule once the merchant gave the excess as Medusa's store credit", async () => {
      const { id, orderId } = await paidTooMuch()
      const credit = { amount: -5.01, reference: "store_credit", reference_id: "1" }
      await changes().must(`/orders/${orderId}/credit-lines`, credit)
      await settleDue(store)
      expect(await store.knex("crypto_payment_request").where({ id }).first()).toMatchObject({
        state: "captured",
        attention_reason: null,
      })
    })

    it("closes the case by the schedule once the order costs what was paid", async () => {
      const { id, orderId } = await paidTooMuch()
      await settleToEnd(store, id)
      await lowerUnheard(orderId, 15.01)
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

    describe("in the audit", () => {
      /** As if the order's versions had been made, and its payments captured, so many hours ago. */
      async function date(orderId: string, versions: number[], captured: number): Promise<void> {
        const ago = (hours: number) => store.knex.raw(`now() - interval '${String(hours)} hours'`)
        for (const [index, hours] of versions.entries()) {
          await store
            .knex("order_summary")
            .where({ order_id: orderId, version: index + 1 })
            .update({ created_at: ago(hours) })
        }
        await store.knex("order_transaction").update({ created_at: ago(captured) })
      }

      it("is a finding when nobody was ever told", async () => {
        const { id, orderId } = await paidTooMuch()
        await settleToEnd(store, id)
        await date(orderId, [3, 2], 1)
        expect((await runAudit(store)).findings).toEqual([])

        store.leavesDamage("its case is removed")
        await store
          .knex("crypto_payment_request")
          .update({ attention_reason: null, attention_since: null, attention_amount: null })
        expect(shortFindings(await runAudit(store))).toEqual([["order_overpaid", id, orderId]])
      })

      it("is a finding when its case was closed without a note", async () => {
        const { id, orderId } = await paidTooMuch()
        await settleToEnd(store, id)
        await date(orderId, [3, 2], 1)
        store.leavesDamage("its case is closed by SQL")
        const row = store.knex("crypto_payment_request").where({ id })
        await row.clone().update({ attention_resolved_at: new Date() })
        expect(shortFindings(await runAudit(store))).toEqual([["order_overpaid", id, orderId]])
        await row.clone().update({ attention_resolved_at: null })
        await changes().must(`/crypto-payments/${id}/resolve`, { note: "The customer keeps it as credit." })
        expect((await runAudit(store)).findings).toEqual([])
      })

      it("is no finding when its case has ended before the order became cheaper again", async () => {
        const { id, orderId } = await paidTooMuch()
        await lowerUnheard(orderId, 15.01)
        await settleDue(store)
        expect(await ledgerRowById(id)).toMatchObject({ attention_reason: null })
        await lower(orderId)
        await date(orderId, [5, 4, 2, 1], 3)
        expect((await runAudit(store)).findings).toEqual([])
      })

      it("is no finding when the order became cheaper after it was paid right", async () => {
        const { orderId } = await placePaidOrder(store)
        await lower(orderId)
        await settleDue(store)
        await date(orderId, [3, 1], 2)
        expect((await runAudit(store)).findings).toEqual([])
      })

      it("is no finding once what is too much was sent back", async () => {
        const { id, orderId } = await paidTooMuch()
        await settleToEnd(store, id)
        await changes().must(`/crypto-payments/${id}/refunds`, { amount: "5.01", reference: "0xabc" })
        await date(orderId, [3, 2], 1)
        expect((await runAudit(store)).findings).toEqual([])
      })
    })

    it("is overpaid when two links of one outstanding amount are paid, but for what a later one exceeds", async () => {
      const { orderId } = await placePaidOrder(store)
      await changes().raise(orderId)
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

    /** As `lower`, and the process that hears of it ends before it does anything. */
    async function lowerUnheard(orderId: string, unitPrice: number): Promise<void> {
      const { queue } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const heard = jest.spyOn(queue, "makeOrderDue").mockResolvedValue()
      await lower(orderId, unitPrice)
      await waitUntil(
        async () => await Promise.resolve(heard.mock.calls),
        ({ length }) => length > 0
      )
      heard.mockRestore()
    }

    async function ledgerRowById(id: string): ReturnType<typeof ledgerRow> {
      return await store.knex("crypto_payment_request").where({ id }).first()
    }
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment", CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30" }
)
