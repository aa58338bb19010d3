import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { PAID_OK, readEndState } from "../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import {
  ageOrder,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  type UnpaidOrder,
} from "../support/unpaid-order"
import { waitUntil } from "../support/wait-until"

describeStore(
  "an order with an open link that was paid another way",
  (store) => {
    const admin = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
      await store.http.post(`/admin${path}`, body, await store.admin())
    const ask = async ({ session, cartId }: UnpaidOrder): Promise<AxiosResponse> =>
      await store.shopper().get(`/crypto-payments/${session.id}?cart_id=${cartId}`)

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

    it("has its link withdrawn by the next tick, without a read of the gateway, and still watched", async () => {
      const order = await paidByBank()
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
      const reads = (await store.gateway.calls("GET")).length
      await store.runSchedule()
      await superseded(order)
      expect((await store.gateway.calls("GET")).length).toBe(reads)
      const entry = await store.knex("crypto_payment_activity").where({ type: "superseded" }).first("detail")
      expect(entry.detail).toMatchObject({ reason: "paid_another_way" })
    })

    it("has its link withdrawn by its next check, however old it is", async () => {
      const order = await paidByBank()
      jest
        .spyOn(
          store.container.resolve<{ sweeps: object }>("cryptoPayments").sweeps as never,
          "listLinksOfPaidOrders"
        )
        .mockResolvedValue([] as never)
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

    it("becomes a case that names the other payment when the link is paid all the same", async () => {
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
      const entry = await store.knex("crypto_payment_activity").where({ type: "attention" }).first("detail")
      expect(entry.detail).toEqual({ reason: "duplicate_payment", paid_by: "pp_system_default" })
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
      await store.runSchedule()
      const links = await store
        .knex("crypto_payment_request")
        .orderBy("created_at")
        .select("state", "amount", "payment_link")
      expect(links).toMatchObject([
        { state: "superseded", amount: "20.01" },
        { state: "open", amount: "15.01" },
      ])
      expect((await ask(order)).data).toEqual({
        status: "awaiting_payment",
        payment_link: links[1].payment_link,
      })
    })
  },
  PLACED_FIRST
)
