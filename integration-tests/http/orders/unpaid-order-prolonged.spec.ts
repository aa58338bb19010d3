import { Modules } from "@medusajs/framework/utils"
import { describeStore } from "../../support/store-under-test"
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

describeStore(
  "an unpaid order whose time is over",
  (store) => {
    const on = new UnpaidOrderTime(store)
    const newestSession = async ({ collectionId }: UnpaidOrder): Promise<string> =>
      (await store.knex("payment_session").where({ payment_collection_id: collectionId }).first("id")).id

    describe("when another provider's session was opened on it", () => {
      const openOther = async ({ collectionId }: UnpaidOrder): Promise<string> => {
        const { status, data } = await store
          .shopper()
          .post(`/payment-collections/${collectionId}/payment-sessions`, { provider_id: "pp_system_default" })
        expect(status).toBe(200)
        return data.payment_collection.payment_sessions[0].id as string
      }
      /** Its payer is at the other provider. */
      const beginToAuthorize = async (order: UnpaidOrder): Promise<string> => {
        const sessionId = await openOther(order)
        await store
          .knex("payment_session")
          .where({ id: sessionId })
          .update({ status: "pending_authorization" })
        return sessionId
      }

      it("has its time again, and is cancelled after that", async () => {
        const order = await placeUnpaidOrder(store)
        await ageOrder(store, 20)
        await openOther(order)
        await settleLater(store, 20)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 11)
        await on.expectCanceled(order)
      })

      it("is not cancelled while that payment is under way, nor when it was authorized", async () => {
        const order = await placeUnpaidOrder(store)
        const sessionId = await beginToAuthorize(order)
        await settleLater(store, 60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")

        await store.knex("payment_session").where({ id: sessionId }).update({ status: "pending" })
        await store.container.resolve(Modules.PAYMENT).authorizePaymentSession(sessionId, {})
        await settleLater(store, 60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
      })

      it("is cancelled when that payment has not been authorized for a day", async () => {
        const order = await placeUnpaidOrder(store)
        await beginToAuthorize(order)
        await settleLater(store, 23 * 60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 2 * 60)
        expect(await orderStatus(store, order.orderId)).toBe("canceled")
      })

      it("is cancelled when such payments and links are begun again and again", async () => {
        const order = await placeUnpaidOrder(store)
        let hours = 0
        // Each of the sessions alone would hold the order: a new link for half an hour, a payment under way for a day.
        for (; hours < 100 && (await orderStatus(store, order.orderId)) === "pending"; hours += 5) {
          await on.openAgain(order)
          await beginToAuthorize(order)
          await settleLater(store, 5 * 60)
        }
        // A day after twice the half hour.
        expect(hours).toBe(25)
        await on.expectNothingReserved(order)
      })

      it("is cancelled when that payment was cancelled", async () => {
        const order = await placeUnpaidOrder(store)
        const payments = store.container.resolve(Modules.PAYMENT)
        const payment = await payments.authorizePaymentSession(await openOther(order), {})
        await payments.cancelPayment(payment?.id ?? "")
        await store.knex("payment_session").update({ status: "canceled" })
        await settleLater(store, 60)
        expect(await orderStatus(store, order.orderId)).toBe("canceled")
      })

      it("has its whole time again when that payment was cancelled days later", async () => {
        const order = await placeUnpaidOrder(store)
        const payments = store.container.resolve(Modules.PAYMENT)
        const payment = await payments.authorizePaymentSession(await openOther(order), {})
        await settleLater(store, 5 * 24 * 60)
        await payments.cancelPayment(payment?.id ?? "")
        await on.openAgain(order)
        await settleLater(store, 29)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 2)
        await on.expectNothingReserved(order)
      })
    })

    describe("when its payment step is opened again and again", () => {
      it("has its time again, and is cancelled after twice the time", async () => {
        const order = await placeUnpaidOrder(store)
        await settleLater(store, 25)
        await on.openAgain(order)
        await settleLater(store, 20)
        expect([await orderStatus(store, order.orderId), await reservations(store, order.orderId)]).toEqual([
          "pending",
          1,
        ])
        await on.openAgain(order)
        const { data } = await store.shopper().get(`/crypto-payments/${await newestSession(order)}`)
        // Of the half hour only the rest of twice the time is left: an hour less 45 minutes.
        expect(Date.parse(String(data.pay_until)) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
        await settleLater(store, 14)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await on.openAgain(order)
        await settleLater(store, 2)
        await on.expectNothingReserved(order)
      })

      it("has its time from its first link on when it was placed without one long ago", async () => {
        const order = await placeUnpaidOrder(store)
        await store
          .knex("order")
          .where({ id: order.orderId })
          .update({ created_at: store.knex.raw("created_at - interval '5 days'") })
        await settleLater(store, 29)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 2)
        await on.expectNothingReserved(order)
      })

      it("has its whole time again when the merchant changes what it costs", async () => {
        const order = await placeUnpaidOrder(store)
        // As if it had been free until then, and nobody had asked for its old link.
        await ageOrder(store, 5 * 24 * 60)
        await on.raise(order.orderId)
        await settleLater(store, 29)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 2)
        await on.expectNothingReserved(order)
      })

      it("has it also when the event of that change was lost", async () => {
        const order = await placeUnpaidOrder(store)
        await ageOrder(store, 5 * 24 * 60)
        await on.raise(order.orderId)
        await store.knex("crypto_payment_request").update({ offered_by_merchant_at: null })
        await settleLater(store, 1)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await settleLater(store, 31)
        await on.expectNothingReserved(order)
      })

      it("has its whole time again with a link that the merchant asks for", async () => {
        const order = await placeUnpaidOrder(store)
        await ageOrder(store, 55)
        await on.openAgain(order)
        expect((await on.post(`/crypto-payments/orders/${order.orderId}/payment-link`)).status).toBe(200)
        await settleLater(store, 29)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        // The payment step deletes the session of the merchant's link. The time that the merchant gave stays.
        await on.openAgain(order)
        await settleLater(store, 29)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await on.openAgain(order)
        await settleLater(store, 3)
        await on.expectNothingReserved(order)
      })

      it("is held by a payment that the gateway calls PENDING, for a day after twice the time", async () => {
        const order = await placeUnpaidOrder(store)
        await store.gateway.setStatus(order.session.data.payment_request_id, "PENDING")
        await ageOrder(store, 45)
        await on.openAgain(order)
        await settleLater(store, 24 * 60)
        expect(await orderStatus(store, order.orderId)).toBe("pending")
        await on.openAgain(order)
        await settleLater(store, 16)
        await on.expectNothingReserved(order)
      })
    })
  },
  PLACED_FIRST
)
