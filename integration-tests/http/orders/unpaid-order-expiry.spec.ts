import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../../support/end-state"
import { hear } from "../../support/heard-events"
import { notificationData, signedBody } from "../../support/notification"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { requestTransfer } from "../../support/transfer-request"
import {
  ageOrder,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  reservations,
  settleLater,
  type UnpaidOrder,
  UnpaidOrderTime,
} from "../../support/unpaid-order"
import { waitUntil } from "../../support/wait-until"

const HOUR_MS = 60 * 60_000

describeStore(
  "an unpaid order whose time is over",
  (store) => {
    const on = new UnpaidOrderTime(store)
    afterEach(() => {
      jest.restoreAllMocks()
    })
    const casesOf = async (cartId: string): Promise<(string | null)[]> =>
      (await readEndState(store.knex, cartId)).ledger.map(({ attention }) => attention)

    it("is told to its shopper before: that the order is kept, and until when", async () => {
      const order = await placeUnpaidOrder(store)
      const { data } = await store.shopper().get(`/crypto-payments/${order.session.id}`)
      const { created_at } = await store
        .knex<{ session_id: string; created_at: Date }>("crypto_payment_request")
        .where({ session_id: order.session.id })
        .first("created_at")
        .then((row) => row ?? { created_at: new Date(0) })
      expect(data).toEqual({
        status: "awaiting_payment",
        order_kept: true,
        pay_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      })
      const keptMs = Date.parse(String(data.pay_until)) - created_at.getTime()
      // Half an hour from when the order was placed, which is seconds after its link was made.
      expect(keptMs).toBeGreaterThanOrEqual(30 * 60_000)
      expect(keptMs).toBeLessThan(31 * 60_000)
      await settleLater(store, 31)
      await on.expectCanceled(order)
      const after = await store.shopper().get(`/crypto-payments/${order.session.id}`)
      expect(after.data).toEqual({ status: "failed", order_canceled: true })
      const listed = await store.http.get("/admin/crypto-payments", await store.admin())
      const told = { state: "superseded", closed_because: "unpaid_order_canceled" }
      expect(listed.data.crypto_payments).toMatchObject([told])
    })

    it("is checked when its time is over, although its link was issued long before", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await store.knex("crypto_payment_request").update({
        created_at: store.knex.raw("now() - interval '30 hours'"),
        next_check_at: store.knex.raw("now() + interval '1 day'"),
      })
      expect((await shopper.complete(cartId)).data.type).toBe("order")
      await store.runSchedule()
      const soon = store
        .knex("crypto_payment_request")
        .whereRaw("next_check_at < now() + interval '31 minutes'")
      expect(await soon.pluck("session_id")).toEqual([session.id])
    })

    it("is kept while a notification says PAID that the reads do not show yet, and is captured then", async () => {
      const order = await placeUnpaidOrder(store)
      const paymentRequestId = order.session.data.payment_request_id
      await store.gateway.pay(paymentRequestId, { visible: false })
      await ageOrder(store, 31)
      const body = signedBody(notificationData(paymentRequestId, { status: "PAID" }))
      expect((await fetch(store.webhookUrl, { method: "POST", body })).status).toBe(200)
      await settleDue(store)
      expect(await orderStatus(store, order.orderId)).toBe("pending")
      const { data } = await store.shopper().get(`/crypto-payments/${order.session.id}`)
      expect(data).toEqual({ status: "processing", order_kept: true })
      const refused = await on.post(`/orders/${order.orderId}/cancel`)
      expect([refused.status, refused.data.message]).toEqual([
        400,
        expect.stringContaining("has said that this order was paid"),
      ])
      await settleLater(store, 24 * 60 - 60)
      expect(await orderStatus(store, order.orderId)).toBe("pending")

      await store.gateway.reveal(paymentRequestId)
      await settleLater(store, 1)
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        captures: ["20.01"],
        transactions: ["20.01"],
        ledger: [{ state: "captured", settled: true, attention: null }],
      })
    })

    it.each([
      ["kept when a part of it was paid by bank transfer", [5], "pending"],
      ["cancelled when that was sent back", [5, -5], "canceled"],
    ])("is %s", async (_, amounts, status) => {
      const order = await placeUnpaidOrder(store)
      for (const amount of amounts) {
        await store.container.resolve(Modules.ORDER).addOrderTransactions({
          order_id: order.orderId,
          amount,
          currency_code: "usd",
          reference: "bank-transfer",
          reference_id: String(amount),
        })
      }
      await settleLater(store, 31)
      expect(await orderStatus(store, order.orderId)).toBe(status)
    })

    it("is cancelled although a link that it had before was paid too little, which was sent back", async () => {
      const order = await placeUnpaidOrder(store)
      const paid = await ledgerRow(store, order.session.id)
      await store.gateway.pay(order.session.data.payment_request_id, { amount: "5.00" })
      await settleLater(store, 0)
      expect(await casesOf(order.cartId)).toEqual(["amount_mismatch"])
      const refund = { amount: "5.00", reference: "sent-back" }
      expect((await on.post(`/crypto-payments/${paid.id}/refunds`, refund)).status).toBe(200)
      await on.openAgain(order)
      await settleLater(store, 31)
      await settleLater(store, 31)
      await on.expectNothingReserved(order)
    })

    /** Its first link was paid too little, the merchant keeps that, and another link waits. */
    const placeWithKeptMoney = async (): Promise<UnpaidOrder> => {
      const order = await placeUnpaidOrder(store)
      const paid = await ledgerRow(store, order.session.id)
      expect((await on.post(`/orders/${order.orderId}`, { email: "corrected@example.test" })).status).toBe(
        200
      )
      await on.openAgain(order)
      await store.gateway.pay(order.session.data.payment_request_id, { amount: "20.00" })
      await settleLater(store, 0)
      const note = { note: "one cent less is fine" }
      expect((await on.post(`/crypto-payments/${paid.id}/resolve`, note)).status).toBe(200)
      const links = await store.knex("crypto_payment_request").orderBy("created_at").pluck("state")
      expect(links).toEqual(["paid", "open"])
      return order
    }

    it("is kept when such money was kept: its case was closed without a refund", async () => {
      const order = await placeWithKeptMoney()
      await settleLater(store, 31)
      await settleLater(store, 31)
      const kept = [await orderStatus(store, order.orderId), await reservations(store, order.orderId)]
      expect(kept).toEqual(["pending", 1])
    })

    it.each([
      ["other money keeps", placeWithKeptMoney],
      [
        "a stranger has asked to be given",
        async (): Promise<UnpaidOrder> => {
          const order = await placeUnpaidOrder(store)
          await requestTransfer(store, order.orderId)
          return order
        },
      ],
    ])(
      "and that %s stays a case for as long as PAID is reported of its link and denied",
      async (_, place) => {
        await place()
        const open = store.knex("crypto_payment_request").where({ state: "open" })
        const { id, payment_request_id } = await open.clone().first()
        const body = signedBody(notificationData(String(payment_request_id), { status: "PAID" }))
        expect((await fetch(store.webhookUrl, { method: "POST", body })).status).toBe(200)
        await settleLater(store, 61)
        const unclear = [{ attention_reason: "gateway_unclear", attention_resolved_at: null }]
        const cases = open.clone().select("attention_reason", "attention_resolved_at")
        expect(await cases.clone()).toEqual(unclear)
        for (const minutes of [25 * 60, 60]) {
          await settleLater(store, minutes)
          expect(await cases.clone()).toEqual(unclear)
        }
        const note = { note: "the gateway's dashboard shows no payment" }
        expect((await on.post(`/crypto-payments/${String(id)}/resolve`, note)).status).toBe(200)
        expect(await open.clone().whereNull("denied_at")).toEqual([])
      }
    )

    describe("and that a stranger has asked to be given", () => {
      it("becomes a case, and is cancelled once the request is", async () => {
        const order = await placeUnpaidOrder(store)
        await requestTransfer(store, order.orderId)
        await settleLater(store, 45)
        expect([await orderStatus(store, order.orderId), await casesOf(order.cartId)]).toEqual([
          "pending",
          ["order_not_canceled"],
        ])

        expect((await on.post(`/orders/${order.orderId}/transfer/cancel`)).status).toBe(200)
        await settleLater(store, 10)
        await on.expectCanceled(order)
      })
    })

    describe("and that core refuses to cancel", () => {
      it("becomes a case, and is cancelled by a later try once what core left open is cancelled", async () => {
        const order = await placeUnpaidOrder(store)
        const orders = store.container.resolve(Modules.ORDER)
        const cancel = jest.spyOn(orders, "cancel").mockRejectedValue(new Error("a hook refused"))
        await settleLater(store, 45)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        cancel.mockRestore()

        // Core takes its credit line back, and leaves the change open.
        await store.http.delete(`/admin/order-edits/${order.orderId}`, await store.admin())
        await settleLater(store, 10)
        await on.expectCanceled(order)
      })
    })

    describe("and that is being edited", () => {
      it("is tried again within the hour, and becomes a case", async () => {
        const heard = hear(store, "crypto_payment.attention_required")
        const order = await placeUnpaidOrder(store)
        await on.post("/order-edits", { order_id: order.orderId })
        await settleLater(store, 31)
        expect([await orderStatus(store, order.orderId), await casesOf(order.cartId)]).toEqual([
          "pending",
          [null],
        ])
        const { next_check_at } = await ledgerRow(store, order.session.id)
        expect((next_check_at?.getTime() ?? Infinity) - Date.now()).toBeLessThan(5 * 60_000)

        await settleLater(store, 10)
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        await waitUntil(
          async () => await Promise.resolve(heard),
          ({ length }) => length > 0
        )
        expect(heard).toEqual([expect.objectContaining({ reason: "order_not_canceled" })])
        expect(await reservations(store, order.orderId)).toBe(1)
      })

      it("is still tried every hour after a month", async () => {
        const order = await placeUnpaidOrder(store)
        await on.post("/order-edits", { order_id: order.orderId })
        await settleLater(store, 31 * 24 * 60)
        const { next_check_at } = await ledgerRow(store, order.session.id)
        expect((next_check_at?.getTime() ?? Infinity) - Date.now()).toBeLessThanOrEqual(HOUR_MS)
      })

      it("is cancelled once the edit is, and the case closes itself", async () => {
        const order = await placeUnpaidOrder(store)
        await on.post("/order-edits", { order_id: order.orderId })
        await settleLater(store, 45)
        expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
        await store.http.delete(`/admin/order-edits/${order.orderId}`, await store.admin())
        await settleLater(store, 10)
        await on.expectCanceled(order)
      })

      it("is captured when it is paid after all, and the case closes itself", async () => {
        const order = await placeUnpaidOrder(store)
        await on.post("/order-edits", { order_id: order.orderId })
        await settleLater(store, 45)
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

    it("becomes a case when it was shipped unpaid", async () => {
      const order = await placeUnpaidOrder(store)
      const { data } = await store.http.get(`/admin/orders/${order.orderId}`, await store.admin())
      const shipped = await on.post(`/orders/${order.orderId}/fulfillments`, {
        items: [{ id: data.order.items[0].id, quantity: 1 }],
      })
      expect(shipped.status).toBe(200)
      await settleLater(store, 45)
      expect(await casesOf(order.cartId)).toEqual(["order_not_canceled"])
    })

    describe("when the merchant has completed it", () => {
      it.each([
        ["", []],
        [" and archived", ["archive"]],
      ])("is left alone once it was completed%s, and captured when it is paid", async (_, more) => {
        const order = await placeUnpaidOrder(store)
        for (const step of ["complete", ...more]) {
          expect((await on.post(`/orders/${order.orderId}/${step}`)).status).toBe(200)
        }
        const status = await orderStatus(store, order.orderId)
        await settleLater(store, 24 * 60)
        expect([await orderStatus(store, order.orderId), await reservations(store, order.orderId)]).toEqual([
          status,
          1,
        ])
        expect(await casesOf(order.cartId)).toEqual([null])
        const answer = await store.shopper().statusOf(order.session.id, order.cartId)
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
