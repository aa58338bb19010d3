import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../support/end-state"
import { hear } from "../support/heard-events"
import { endOf, ledgerRow, payAndNotify } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { requestTransfer } from "../support/transfer-request"
import {
  ageOrder,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  reservations,
  type UnpaidOrder,
} from "../support/unpaid-order"
import { waitUntil } from "../support/wait-until"

const HOUR_MS = 60 * 60_000

describeStore(
  "an unpaid order whose time is over",
  (store) => {
    const admin = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
      await store.http.post(`/admin${path}`, body, await store.admin())
    afterEach(() => {
      jest.restoreAllMocks()
    })
    const settle = async (minutesLater: number): Promise<void> => {
      await ageOrder(store, minutesLater)
      await settleDue(store)
    }
    const casesOf = async (cartId: string): Promise<(string | null)[]> =>
      (await readEndState(store.knex, cartId)).ledger.map(({ attention }) => attention)
    const expectCanceled = async ({ orderId, cartId }: UnpaidOrder): Promise<void> => {
      expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual(["canceled", 0])
      expect((await readEndState(store.knex, cartId)).ledger).toEqual([
        { state: "superseded", settled: false, attention: null },
      ])
    }
    const lastCase = async (): Promise<unknown> =>
      (
        await store
          .knex("crypto_payment_activity")
          .where({ type: "attention" })
          .orderBy("position", "desc")
          .first("detail")
      )?.detail

    describe("and that a stranger has asked to be given", () => {
      it("is cancelled, and the request is declined", async () => {
        const order = await placeUnpaidOrder(store)
        await requestTransfer(store, order.orderId)
        await settle(31)
        await expectCanceled(order)
        const change = await store.knex("order_change").where({ change_type: "transfer" }).first()
        expect(change).toMatchObject({ status: "declined", declined_reason: expect.any(String) })
      })

      it("becomes a case when core refuses to cancel for another reason, and is cancelled by a later try", async () => {
        const order = await placeUnpaidOrder(store)
        await requestTransfer(store, order.orderId)
        const orders = store.container.resolve(Modules.ORDER)
        const cancel = jest.spyOn(orders, "cancel").mockRejectedValue(new Error("a hook refused"))
        await settle(45)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        const change = await store.knex("order_change").where({ change_type: "transfer" }).first()
        expect(change).toMatchObject({ status: "requested", declined_at: null })
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        expect(await lastCase()).toMatchObject({ obstacle: "other", order_id: order.orderId })

        cancel.mockRestore()
        // What core left open when it took its credit line back counts as abandoned after a minute.
        await store
          .knex("order_change")
          .update({ created_at: store.knex.raw("created_at - interval '2 minutes'") })
        await settle(10)
        await expectCanceled(order)
      })
    })

    describe("and that is being edited", () => {
      it("is tried again within the hour, and becomes a case that names the edit", async () => {
        const heard = hear(store, "crypto_payment.attention_required")
        const order = await placeUnpaidOrder(store)
        await admin("/order-edits", { order_id: order.orderId })
        await settle(31)
        expect([await orderStatus(store, order.orderId), await casesOf(order.cartId)]).toEqual([
          "pending",
          [null],
        ])
        const { next_check_at } = await ledgerRow(store, order.session.id)
        expect((next_check_at?.getTime() ?? Infinity) - Date.now()).toBeLessThan(5 * 60_000)

        await settle(10)
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        expect(await lastCase()).toEqual({
          reason: "order_not_canceled",
          obstacle: "edit",
          order_id: order.orderId,
        })
        await waitUntil(
          async () => await Promise.resolve(heard),
          ({ length }) => length > 0
        )
        expect(heard).toEqual([expect.objectContaining({ reason: "order_not_canceled" })])
        expect(await reservations(store, order.orderId)).toBe(1)
      })

      it("is still tried every hour after a month", async () => {
        const order = await placeUnpaidOrder(store)
        await admin("/order-edits", { order_id: order.orderId })
        await settle(31 * 24 * 60)
        const { next_check_at } = await ledgerRow(store, order.session.id)
        expect((next_check_at?.getTime() ?? Infinity) - Date.now()).toBeLessThanOrEqual(HOUR_MS)
      })

      it("is cancelled once the edit is, and the case closes itself", async () => {
        const order = await placeUnpaidOrder(store)
        await admin("/order-edits", { order_id: order.orderId })
        await settle(45)
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        await store.http.delete(`/admin/order-edits/${order.orderId}`, await store.admin())
        await settle(10)
        await expectCanceled(order)
      })

      it("is captured when it is paid after all, and the case closes itself", async () => {
        const order = await placeUnpaidOrder(store)
        await admin("/order-edits", { order_id: order.orderId })
        await settle(45)
        await store.http.delete(`/admin/order-edits/${order.orderId}`, await store.admin())
        await payAndNotify(store, order.session.data.payment_request_id)
        await waitUntil(
          async () => await readEndState(store.knex, order.cartId),
          ({ ledger }) => ledger[0]?.settled === true
        )
        expect(await readEndState(store.knex, order.cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
        expect(await orderStatus(store, order.orderId)).toBe("pending")
      })
    })

    it("becomes a case that names the fulfilment when it was shipped unpaid", async () => {
      const order = await placeUnpaidOrder(store)
      const { data } = await store.http.get(`/admin/orders/${order.orderId}`, await store.admin())
      const shipped = await admin(`/orders/${order.orderId}/fulfillments`, {
        items: [{ id: data.order.items[0].id, quantity: 1 }],
      })
      expect(shipped.status).toBe(200)
      await settle(45)
      expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
      expect(await lastCase()).toMatchObject({ obstacle: "fulfillment" })
    })

    describe("when another provider's session was opened on it", () => {
      const openOther = async ({ collectionId }: UnpaidOrder): Promise<string> => {
        const { status, data } = await store
          .shopper()
          .post(`/payment-collections/${collectionId}/payment-sessions`, { provider_id: "pp_system_default" })
        expect(status).toBe(200)
        return data.payment_collection.payment_sessions[0].id as string
      }

      it("has its time again, and is cancelled after that", async () => {
        const order = await placeUnpaidOrder(store)
        await ageOrder(store, 20)
        await openOther(order)
        await settle(20)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settle(11)
        await expectCanceled(order)
      })

      it("is not cancelled while that payment is under way, nor when it was authorized", async () => {
        const order = await placeUnpaidOrder(store)
        const sessionId = await openOther(order)
        await store
          .knex("payment_session")
          .where({ id: sessionId })
          .update({ status: "pending_authorization" })
        await settle(60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")

        await store.knex("payment_session").where({ id: sessionId }).update({ status: "pending" })
        await store.container.resolve(Modules.PAYMENT).authorizePaymentSession(sessionId, {})
        await settle(60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
      })

      it("is cancelled when that payment was cancelled", async () => {
        const order = await placeUnpaidOrder(store)
        const payments = store.container.resolve(Modules.PAYMENT)
        const payment = await payments.authorizePaymentSession(await openOther(order), {})
        await payments.cancelPayment(payment?.id ?? "")
        await store.knex("payment_session").update({ status: "canceled" })
        await settle(60)
        expect(await orderStatus(store, order.orderId)).toBe("canceled")
      })
    })

    describe("when the merchant has completed it", () => {
      it.each([
        ["", []],
        [" and archived", ["archive"]],
      ])("is left alone once it was completed%s, and captured when it is paid", async (_, more) => {
        const order = await placeUnpaidOrder(store)
        for (const step of ["complete", ...more]) {
          expect((await admin(`/orders/${order.orderId}/${step}`)).status).toBe(200)
        }
        const status = await orderStatus(store, order.orderId)
        await settle(24 * 60)
        expect([await orderStatus(store, order.orderId), await reservations(store, order.orderId)]).toEqual([
          status,
          1,
        ])
        expect(await casesOf(order.cartId)).toEqual([null])
        const answer = await store
          .shopper()
          .get(`/crypto-payments/${order.session.id}?cart_id=${order.cartId}`)
        expect(answer.data).toMatchObject({ status: "awaiting_payment" })

        await payAndNotify(store, order.session.data.payment_request_id)
        expect(await endOf(store, order.cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
      })
    })
  },
  PLACED_FIRST
)
