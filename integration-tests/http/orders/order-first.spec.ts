import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { runAudit } from "../../support/audit"
import { holdOrder, untilBlocked } from "../../support/held-row"
import { HeldTimers } from "../../support/held-timers"
import { PAID_OK, readEndState } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import {
  HOUR_MS,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  type UnpaidOrder,
} from "../../support/unpaid-order"
import { waitUntil } from "../../support/wait-until"

describeStore(
  "orderPlacement before_payment",
  (store) => {
    it("places the order unpaid, and PAID captures it once", async () => {
      const { cartId, session } = await placeUnpaidOrder(store)
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

    it("places the order once it is paid when the shop did not ask for it before", async () => {
      const { cartId, session } = await store.shopper().checkout()
      expect((await readEndState(store.knex, cartId)).orders).toBe(0)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("captures at once when the shop asks for the order of a payment that nobody has noticed", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      expect((await shopper.complete(cartId)).data.type).toBe("order")
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("places the order while the gateway is down", async () => {
      const shopper = store.shopper()
      const { cartId } = await shopper.checkout()
      await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
      const { data } = await shopper.complete(cartId)
      expect(data.type).toBe("order")
      expect((await readEndState(store.knex, cartId)).payments).toEqual([])
    })

    it("is a finding when core leaves its payment out of the order's sums, as it may while a change is confirmed", async () => {
      const { cartId, orderId, session } = await placeUnpaidOrder(store)
      const changes = new OrderChanges(store)
      await changes.must("/order-edits", { order_id: orderId })
      const items = [{ variant_id: store.seeded.variantIds[1], quantity: 1 }]
      await changes.must(`/order-edits/${orderId}/items`, { items })
      const sums = async (): Promise<[paid: number, pending: number]> => {
        const { totals } = await store
          .knex("order_summary")
          .where({ order_id: orderId })
          .orderBy("version", "desc")
          .first("totals")
        return [totals.paid_total, totals.pending_difference]
      }

      const letGo = await holdOrder(store, orderId)
      const confirmed = changes.must(`/order-edits/${orderId}/confirm`)
      await untilBlocked(store)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({ transactions: ["20.01"] })
      await letGo()
      await confirmed
      expect(await sums()).toEqual([0, 35.02])

      await settleDue(store)
      expect(await endOf(store, cartId)).toMatchObject({ captures: ["20.01"], transactions: ["20.01"] })
      store.leavesDamage("core's sums of the order lack the payment")
      const { findings } = await runAudit(store)
      expect(findings).toMatchObject([{ rule: "order_sums_differ", order_ids: [orderId] }])
    })

    it("settles a payment that is less than a raised total, and opens a case that the order is underpaid", async () => {
      const { cartId, orderId, session } = await placeUnpaidOrder(store)
      await new OrderChanges(store).raise(orderId)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        collection: { captured: "20.01" },
        captures: ["20.01"],
        orders: 1,
        transactions: ["20.01"],
        ledger: [{ state: "captured", settled: true, attention: "order_underpaid" }],
      })
    })

    describe("an admin who cancels the order", () => {
      const cancel = async (orderId: string): Promise<number> =>
        (await store.http.post(`/admin/orders/${orderId}/cancel`, {}, await store.admin())).status

      it("gets 400 while its link is paid at the gateway and not recorded here, and it is settled then", async () => {
        const { cartId, orderId, session } = await placeUnpaidOrder(store)
        await store.gateway.pay(session.data.payment_request_id)
        expect(await cancel(orderId)).toBe(400)
        expect(await endOf(store, cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
        expect(await orderStatus(store, orderId)).toBe("pending")
      })

      it("gets 400 while the gateway cannot be asked", async () => {
        const { orderId } = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
        expect([await cancel(orderId), await orderStatus(store, orderId)]).toEqual([400, "pending"])
      })

      it("gets 400 while the gateway refuses to say, and learns where to look", async () => {
        const { orderId } = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
        const answer = await store.http.post(`/admin/orders/${orderId}/cancel`, {}, await store.admin())
        expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining("connection")])
        expect(await orderStatus(store, orderId)).toBe("pending")
      })

      it("is let through when the gateway does not know the link any more", async () => {
        const { orderId } = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
        expect([await cancel(orderId), await orderStatus(store, orderId)]).toEqual([200, "canceled"])
      })

      it("is let through once the gateway says that the link is not paid", async () => {
        const { orderId } = await placeUnpaidOrder(store)
        expect([await cancel(orderId), await orderStatus(store, orderId)]).toEqual([200, "canceled"])
      })
    })

    it("never captures onto a cancelled order", async () => {
      const { cartId, orderId, session } = await placeUnpaidOrder(store)
      const cancelled = await store.http.post(`/admin/orders/${orderId}/cancel`, {}, await store.admin())
      expect(cancelled.status).toBe(200)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        payments: [],
        captures: [],
        ledger: [{ attention: "paid_on_canceled" }],
      })
    })

    it("has its link withdrawn by the next tick when it was cancelled in the database", async () => {
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + HOUR_MS) })
      await store.knex("order").where({ id: orderId }).update({ canceled_at: new Date(), status: "canceled" })
      await store.runSchedule()
      expect(await ledgerRow(store, session.id)).toMatchObject({
        state: "superseded",
        next_check_at: expect.any(Date),
      })
    })

    describe("paid again", () => {
      it("from the storefront has the same link, and is captured once", async () => {
        const { cartId, collectionId, session } = await placeUnpaidOrder(store)
        const again = readSession((await store.shopper().openSession(collectionId)).data)
        expect(again.data.payment_link).toBe(session.data.payment_link)
        await payAndNotify(store, session.data.payment_request_id)
        await endOf(store, cartId)
        expect(await readEndState(store.knex, cartId)).toMatchObject({
          collection: { status: "completed", captured: "20.01" },
          captures: ["20.01"],
          orders: 1,
          transactions: ["20.01"],
        })
      })

      it("from the admin has the open link, and is captured once", async () => {
        const { cartId, session } = await placeUnpaidOrder(store)
        const answer = await offerLink(cartId)
        expect(answer.data).toEqual({
          payment_link: session.data.payment_link,
          crypto_payment: expect.objectContaining({ payment_request_id: session.data.payment_request_id }),
        })
        await payAndNotify(store, session.data.payment_request_id)
        expect((await endOf(store, cartId)).captures).toEqual(["20.01"])
      })

      it.each([
        [
          "from the storefront",
          async ({ collectionId }: UnpaidOrder) => await store.shopper().openSession(collectionId),
        ],
        ["from the admin", async ({ cartId }: UnpaidOrder) => await offerLink(cartId)],
      ])("%s while the gateway is down keeps the link the customer has", async (_, again) => {
        const checkout = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
        expect((await again(checkout)).status).toBe(500)
        await store.gateway.recover()
        await payAndNotify(store, checkout.session.data.payment_request_id)
        expect(await endOf(store, checkout.cartId)).toMatchObject({
          captures: ["20.01"],
          ledger: [{ state: "captured", attention: null }],
        })
      })

      it("from the admin has a new link when the gateway has lost the old one, and is captured once", async () => {
        const { cartId, session } = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
        const answer = await offerLink(cartId)
        await store.gateway.recover()
        expect(answer.status).toBe(200)
        expect(answer.data.payment_link).not.toBe(session.data.payment_link)
        const fresh = await store
          .knex("crypto_payment_request")
          .where({ payment_link: answer.data.payment_link })
          .first("payment_request_id")
        await store.gateway.pay(fresh.payment_request_id)
        await store.gateway.notify(fresh.payment_request_id)
        const state = await waitUntil(
          async () => await readEndState(store.knex, cartId),
          ({ captures }) => captures.length > 0
        )
        expect([state.captures, state.orders]).toEqual([["20.01"], 1])
      })

      it("from the admin says so when another is being made", async () => {
        const { cartId, collectionId } = await placeUnpaidOrder(store)
        const { status, data } = await store.container
          .resolve(Modules.LOCKING)
          .execute(`crypto:${collectionId}`, async () => {
            const waits = new HeldTimers("locking/dist/providers/in-memory")
            try {
              return await waits.fireUntilOver(offerLink(cartId))
            } finally {
              waits.end()
            }
          })
        expect([status, data.code]).toEqual([400, "being_started"])
      })

      it("from the admin answers 400 while money of it is being settled, with a case of before the payment", async () => {
        const { cartId } = await placeUnpaidOrder(store)
        await store.knex("crypto_payment_request").update({
          state: "paid",
          paid_at: store.knex.fn.now(),
          next_check_at: null,
          attention_reason: "order_not_canceled",
          attention_since: store.knex.raw("now() - interval '1 hour'"),
        })
        const { status, data } = await offerLink(cartId)
        expect([status, data.code]).toEqual([400, "already_paid"])
        store.leavesDamage("its PAID was written by hand")
      })

      it("from the admin answers 400 once it is paid", async () => {
        const { cartId, session } = await placeUnpaidOrder(store)
        await payAndNotify(store, session.data.payment_request_id)
        await endOf(store, cartId)
        expect((await offerLink(cartId)).status).toBe(400)
      })
    })

    async function offerLink(cartId: string): Promise<AxiosResponse> {
      const { id } = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
      return await store.http.post(`/admin/crypto-payments/${id}/payment-link`, {}, await store.admin())
    }
  },
  PLACED_FIRST
)
