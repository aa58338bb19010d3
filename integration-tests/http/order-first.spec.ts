import { readEndState } from "../support/end-state"
import { endOf, payAndNotify } from "../support/paid-checkout"
import type { PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"

jest.setTimeout(60_000)

describeStore(
  "orderPlacement before_payment",
  (store) => {
    /** A guest's order that stands unpaid. */
    async function placedUnpaid(): Promise<PreparedCheckout & { orderId: string }> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      const { data } = await shopper.complete(checkout.cartId)
      expect(data.type).toBe("order")
      return { ...checkout, orderId: data.order.id }
    }

    it("places the order unpaid, and PAID captures it once", async () => {
      const { cartId, session } = await placedUnpaid()
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        collection: { status: "awaiting", captured: "0.00" },
        sessions: ["pending_authorization"],
        payments: [],
        orders: 1,
      })

      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        collection: { status: "completed", captured: "20.01" },
        captures: ["20.01"],
        orders: 1,
        transactions: ["20.01"],
        ledger: [{ state: "captured", attention: null }],
      })
    })

    it("places the order while the gateway is down", async () => {
      const shopper = store.shopper()
      const { cartId } = await shopper.checkout()
      await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
      const { data } = await shopper.complete(cartId)
      expect(data.type).toBe("order")
      expect((await readEndState(store.knex, cartId)).payments).toEqual([])
    })

    it("never captures onto a cancelled order", async () => {
      const { cartId, orderId, session } = await placedUnpaid()
      const cancelled = await store.http.post(`/admin/orders/${orderId}/cancel`, {}, await store.admin())
      expect(cancelled.status).toBe(200)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        payments: [],
        captures: [],
        ledger: [{ attention: "paid_on_canceled" }],
      })
    })
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment" }
)
