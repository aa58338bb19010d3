import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { runAudit, shortFindings } from "../../support/audit"
import { PAID_OK, readCollectionEnd, readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { OrderChanges } from "../../support/order-changes"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import {
  ageOrder,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  type UnpaidOrder,
} from "../../support/unpaid-order"
import { waitUntil } from "../../support/wait-until"

describeStore(
  "an order with an open link that was paid another way",
  (store) => {
    const admin = new OrderChanges(store).post
    const ask = async ({ session, cartId }: UnpaidOrder): Promise<AxiosResponse> =>
      await store.shopper().statusOf(session.id, cartId)

    /** The merchant got the money by bank transfer, and marks a payment collection of the order's own as paid. */
    async function markAsPaid(orderId: string, amount = 20.01): Promise<void> {
      const created = await admin("/payment-collections", { order_id: orderId, amount })
      const id = created.data.payment_collection.id as string
      expect((await admin(`/payment-collections/${id}/mark-as-paid`, { order_id: orderId })).status).toBe(200)
    }

    async function paidByBank(): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      await markAsPaid(order.orderId)
      return order
    }

    const superseded = async ({ session }: UnpaidOrder): Promise<void> => {
      expect(await ledgerRow(store, session.id)).toMatchObject({
        state: "superseded",
        attention_reason: null,
        next_check_at: expect.any(Date),
      })
    }

    it("tells the shopper at once that it is paid, and gives no link", async () => {
      const order = await paidByBank()
      const { data } = await ask(order)
      expect(data).toEqual({ status: "paid", order_id: order.orderId })
      const stranger = await store.shopper().get(`/crypto-payments/${order.session.id}`)
      expect(stranger.data).toEqual({ status: "paid" })
    })

    it("is the last word once the gateway was asked after the shopper's return", async () => {
      const order = await paidByBank()
      await store
        .knex("crypto_payment_request")
        .update({ last_checked_at: store.knex.raw("now() - interval '1 minute'"), check_requested_at: null })
      expect((await ask(order)).headers["retry-after"]).toBe("2")
      await settleDue(store)
      const { headers, data } = await ask(order)
      expect([headers["retry-after"], data.status]).toEqual([undefined, "paid"])
    })

    it("has its link withdrawn by the next tick, and still watched", async () => {
      const order = await paidByBank()
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
      await store.runSchedule()
      await superseded(order)
      const entry = await store.knex("crypto_payment_activity").where({ type: "superseded" }).first("detail")
      expect(entry.detail).toMatchObject({ reason: "paid_another_way" })
    })

    it("has its link withdrawn by its next check, however old it is", async () => {
      const order = await paidByBank()
      jest
        .spyOn(store.container.resolve<{ sweeps: object }>("cryptoPayments").sweeps as never, "sweep")
        .mockResolvedValue({ due: [], awaiting: [] } as never)
      await ageOrder(store, 60)
      await settleDue(store)
      jest.restoreAllMocks()
      await superseded(order)
      expect(await orderStatus(store, order.orderId)).toBe("pending")
    })

    it("gives no other link, neither to the shopper nor to the merchant", async () => {
      const order = await paidByBank()
      const opened = await store.shopper().openSession(order.collectionId)
      expect([opened.status, opened.data.message]).toEqual([400, "This is already paid."])
      const { id } = await ledgerRow(store, order.session.id)
      expect((await admin(`/crypto-payments/${id}/payment-link`)).data.code).toBe("nothing_to_pay")
    })

    it("becomes a case when the link is paid all the same", async () => {
      const order = await paidByBank()
      await store.runSchedule()
      await payAndNotify(store, order.session.data.payment_request_id)
      await waitUntil(
        async () => await ledgerRow(store, order.session.id),
        ({ attention_reason }) => attention_reason !== null
      )
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        captures: [],
        transactions: ["20.01"],
        ledger: [{ state: "paid", settled: false, attention: "duplicate_payment" }],
      })
      expect((await ask(order)).data).toEqual({ status: "processing", review: true })
    })

    it("is told as paid when another provider has paid the same collection", async () => {
      const order = await placeUnpaidOrder(store)
      const payments = store.container.resolve(Modules.PAYMENT)
      const other = await payments.createPaymentSession(order.collectionId, {
        provider_id: "pp_system_default",
        amount: 20.01,
        currency_code: "usd",
        data: {},
      })
      const payment = await payments.authorizePaymentSession(other.id, {})
      await payments.capturePayment({ payment_id: payment?.id ?? "", amount: 20.01 })
      await store.container.resolve(Modules.ORDER).addOrderTransactions({
        order_id: order.orderId,
        amount: 20.01,
        currency_code: "usd",
        reference: "capture",
        reference_id: (await store.knex("capture").first("id")).id as string,
      })
      await store.runSchedule()
      await superseded(order)
      expect((await ask(order)).data).toEqual({ status: "paid", order_id: order.orderId })
    })

    it("cannot be marked as paid once its link is paid, which is captured then", async () => {
      const order = await placeUnpaidOrder(store)
      const { session, cartId, collectionId, orderId } = order
      await store.gateway.pay(session.data.payment_request_id)
      const path = `/payment-collections/${collectionId}/mark-as-paid`
      const { status, data } = await admin(path, { order_id: orderId })
      expect([status, data.message]).toEqual([400, "This is already paid and is being confirmed."])
      await endOf(store, cartId)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("has a link of the rest while a part of it is still owed", async () => {
      const order = await placeUnpaidOrder(store)
      await markAsPaid(order.orderId, 5)
      expect((await store.shopper().openSession(order.collectionId)).status).toBe(200)
      const { data } = await ask(order)
      const links = await store
        .knex("crypto_payment_request")
        .orderBy("created_at")
        .select("state", "amount", "payment_link")
      expect(links).toMatchObject([
        { state: "superseded", amount: "20.01" },
        { state: "open", amount: "15.01" },
      ])
      expect(data).toEqual({
        status: "awaiting_payment",
        payment_link: links[1].payment_link,
        order_kept: true,
      })
    })

    it("is marked as paid in its own collection, as the dashboard does, once the schedule has run", async () => {
      const order = await placeUnpaidOrder(store)
      await store.runSchedule()
      expect(await readCollectionEnd(store.knex, order.collectionId)).toMatchObject({ status: "not_paid" })
      const path = `/payment-collections/${order.collectionId}/mark-as-paid`
      expect((await admin(path, { order_id: order.orderId })).status).toBe(200)
      await superseded(order)
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        collection: { status: "completed", captured: "20.01" },
        captures: ["20.01"],
        transactions: ["20.01"],
      })
    })

    it("is told as paid when a credit covers all of it", async () => {
      const order = await placeUnpaidOrder(store)
      const credit = { amount: 20.01, reference: "gift-card", reference_id: "1" }
      expect((await admin(`/orders/${order.orderId}/credit-lines`, credit)).status).toBe(200)
      await store.runSchedule()
      expect((await ask(order)).data).toEqual({ status: "paid", order_id: order.orderId })
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({ captures: [], transactions: [] })
    })

    describe("with a payment that was authorized and not captured", () => {
      const sendLink = async ({ orderId }: UnpaidOrder): Promise<AxiosResponse> =>
        await admin(`/crypto-payments/orders/${orderId}/payment-link`)

      async function authorized(provider_id: string): Promise<UnpaidOrder> {
        const order = await placeUnpaidOrder(store)
        const { data } = await store.shopper().openSession(order.collectionId, undefined, "pp_system_default")
        await store.container.resolve(Modules.PAYMENT).authorizePaymentSession(readSession(data).id, {})
        await store.knex("payment").update({ provider_id })
        await store.knex("payment_session").update({ provider_id })
        await superseded(order)
        return order
      }

      it("of a card is told as paid, and takes no other payment", async () => {
        const order = await authorized("pp_card_manual")
        expect((await ask(order)).data).toEqual({ status: "paid", order_id: order.orderId })
        const opened = await store.shopper().openSession(order.collectionId)
        expect([opened.status, opened.data.code]).toEqual([400, "payment_authorized"])
        expect(await readEndState(store.knex, order.cartId)).toMatchObject({
          sessions: ["authorized"],
          payments: [{ captured: false, canceled: false }],
          ledger: [{ state: "superseded" }],
        })
        expect(await store.knex("payment_collection").pluck("id")).toEqual([order.collectionId])
      })

      it("of a card leaves the merchant a link, in a collection of its own", async () => {
        const order = await authorized("pp_card_manual")
        expect((await sendLink(order)).status).toBe(200)
        const open = await store.knex("crypto_payment_request").where({ state: "open" })
        expect(open).toEqual([expect.objectContaining({ amount: "20.01" })])
        expect(open[0].payment_collection_id).not.toBe(order.collectionId)
        expect(await store.knex("payment").pluck("canceled_at")).toEqual([null])
      })

      it("of Medusa's manual provider waits for a transfer, and can be paid in crypto instead", async () => {
        const order = await authorized("pp_system_default")
        expect((await ask(order)).data).toEqual({ status: "failed", order_kept: true })
        expect((await sendLink(order)).status).toBe(200)
        const session = readSession((await store.shopper().openSession(order.collectionId)).data)
        await payAndNotify(store, session.data.payment_request_id)
        expect(await endOf(store, order.cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
        })
      })
    })

    describe("after its link was paid and settled", () => {
      const changes = (): OrderChanges => new OrderChanges(store)
      const caseOf = async ({ session }: UnpaidOrder): Promise<unknown[]> => {
        const row = await ledgerRow(store, session.id)
        return [row.attention_reason, row.attention_amount]
      }

      /** A collection of the order's own, which nobody has paid yet. */
      async function openCollection(orderId: string, amount: number): Promise<string> {
        const { data } = await admin("/payment-collections", { order_id: orderId, amount })
        return data.payment_collection.id as string
      }

      async function mark(orderId: string, collectionId: string): Promise<void> {
        const { status } = await admin(`/payment-collections/${collectionId}/mark-as-paid`, {
          order_id: orderId,
        })
        expect(status).toBe(200)
      }

      async function payLink(order: UnpaidOrder): Promise<void> {
        await payAndNotify(store, order.session.data.payment_request_id)
        await endOf(store, order.cartId)
        await nothingIsDue(store)
      }

      /** The link is paid while a second collection of so much is open. */
      async function settledBeside(amount: number): Promise<{ order: UnpaidOrder; collectionId: string }> {
        const order = await placeUnpaidOrder(store)
        const collectionId = await openCollection(order.orderId, amount)
        await payLink(order)
        return { order, collectionId }
      }

      it("is a duplicate by the schedule when all of it was paid another way", async () => {
        const { order, collectionId } = await settledBeside(20.01)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["duplicate_payment", "20.01"])
      })

      it("is overpaid by the schedule when a part of it was paid another way", async () => {
        const { order, collectionId } = await settledBeside(5)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["order_overpaid", "5.00"])
      })

      it("is overpaid by no more when somebody requests a return, and by what came back once it did", async () => {
        const { order, collectionId } = await settledBeside(10)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        const id = await changes().requestReturn(order.orderId)
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["order_overpaid", "10.00"])
        await changes().receiveReturn(id)
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["order_overpaid", "25.01"])
      })

      it("is found by the schedule", async () => {
        const { order, collectionId } = await settledBeside(20.01)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["duplicate_payment", "20.01"])
      })

      it("is a case again when the first one was closed, and more comes", async () => {
        const order = await placeUnpaidOrder(store)
        const first = await openCollection(order.orderId, 5)
        const second = await openCollection(order.orderId, 3)
        await payLink(order)
        await mark(order.orderId, first)
        await settleDue(store)
        const { id } = await ledgerRow(store, order.session.id)
        await changes().must(`/crypto-payments/${id}/resolve`, { note: "a gift" })
        await settleDue(store)
        expect(await ledgerRow(store, order.session.id)).toMatchObject({
          attention_resolved_at: expect.any(Date),
        })
        await mark(order.orderId, second)
        await settleDue(store)
        expect(await ledgerRow(store, order.session.id)).toMatchObject({
          attention_reason: "order_overpaid",
          attention_amount: "8.00",
          attention_resolved_at: null,
        })
      })

      it("is overpaid when too little was paid first, and then too much", async () => {
        const order = await placeUnpaidOrder(store)
        const collectionId = await openCollection(order.orderId, 15.01)
        await store.gateway.pay(order.session.data.payment_request_id)
        await changes().raise(order.orderId)
        await settleDue(store)
        await endOf(store, order.cartId)
        const [reason, missing] = await caseOf(order)
        expect(reason).toBe("order_underpaid")
        const tooMuch = await openCollection(order.orderId, Number(missing))
        await mark(order.orderId, collectionId)
        await settleDue(store)
        await mark(order.orderId, tooMuch)
        await settleDue(store)
        const { pending } = await changes().books(order.orderId)
        expect(pending).toBeLessThan(0)
        expect(await caseOf(order)).toEqual(["order_overpaid", (-pending).toFixed(2)])
      })

      it("is no case when what was added was paid, and the order is lowered later", async () => {
        const order = await placeUnpaidOrder(store)
        await payLink(order)
        await changes().raise(order.orderId)
        const { pending } = await changes().books(order.orderId)
        await mark(order.orderId, await openCollection(order.orderId, pending))
        await settleDue(store)
        expect(await caseOf(order)).toEqual([null, null])

        const items = await changes().items(order.orderId)
        await changes().reprice(
          order.orderId,
          items.map((item) => ({ ...item, unit_price: 1 }))
        )
        const { id } = await ledgerRow(store, order.session.id)
        await changes().must(`/crypto-payments/${id}/settle`)
        await settleDue(store)
        expect((await changes().books(order.orderId)).pending).toBeLessThan(0)
        expect(await caseOf(order)).toEqual([null, null])
      })

      it("has its duplicate closed by the schedule once the other payment was sent back", async () => {
        const { order, collectionId } = await settledBeside(20.01)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        const { id } = await store
          .knex("payment")
          .where({ payment_collection_id: collectionId })
          .first<{ id: string }>("id")
        expect(await caseOf(order)).toEqual(["duplicate_payment", "20.01"])
        expect((await admin(`/payments/${id}/refund`, { amount: 20.01 })).status).toBe(200)
        await settleDue(store)
        expect(await caseOf(order)).toEqual([null, null])
      })

      it.each([
        ["a part of the other payment was sent back", "15.01", async (): Promise<void> => undefined],
        [
          "the order was raised",
          "5.00",
          async (orderId: string): Promise<void> => await changes().raise(orderId),
        ],
      ])("stays a case of what is too much when %s, until nothing is", async (_, left, raise) => {
        const { order, collectionId } = await settledBeside(20.01)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        await raise(order.orderId)
        const { id: paymentId } = await store
          .knex("payment")
          .where({ payment_collection_id: collectionId })
          .first<{ id: string }>("id")
        const sendBack = async (amount: number): Promise<void> => {
          expect((await admin(`/payments/${paymentId}/refund`, { amount })).status).toBe(200)
        }
        if (left === "15.01") {
          await sendBack(5)
        }
        await settleDue(store)
        expect(await caseOf(order)).toEqual(["order_overpaid", left])
        expect((await runAudit(store)).findings).toEqual([])
        await sendBack(Number(left))
        await settleDue(store)
        expect(await caseOf(order)).toEqual([null, null])
      })

      it("is a finding of the audit while nobody is told", async () => {
        const { order, collectionId } = await settledBeside(20.01)
        await mark(order.orderId, collectionId)
        await settleDue(store)
        expect((await runAudit(store)).findings).toEqual([])
        store.leavesDamage("its case is removed")
        await store
          .knex("crypto_payment_request")
          .update({ attention_reason: null, attention_since: null, next_check_at: null })
        // The schedule looks at new money first.
        expect((await runAudit(store)).findings).toEqual([])
        await store
          .knex("order_transaction")
          .update({ created_at: store.knex.raw("created_at - interval '20 minutes'") })
        const { id } = await ledgerRow(store, order.session.id)
        expect(shortFindings(await runAudit(store))).toEqual([["order_overpaid", id, order.orderId]])
      })
    })
  },
  PLACED_FIRST
)
