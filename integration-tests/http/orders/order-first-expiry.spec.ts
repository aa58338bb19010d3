import type { AxiosResponse } from "axios"
import { readEndState } from "../../support/end-state"
import { createAtGateway } from "../../support/gateway-requests"
import { untilLockIsGivenUp } from "../../support/hanging-core"
import { holdRow } from "../../support/held-row"
import { HeldTimers } from "../../support/held-timers"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import {
  ageOrder,
  HOUR_MS,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  reservations,
} from "../../support/unpaid-order"

describeStore(
  "orderPlacement before_payment",
  (store) => {
    describe("once its time is over", () => {
      it("is cancelled and its stock is free", async () => {
        const { cartId, orderId, session } = await placeUnpaidOrder(store)
        expect(await reservations(store, orderId)).toBe(1)
        await ageOrder(store, 31)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("canceled")
        expect(await reservations(store, orderId)).toBe(0)
        expect((await readEndState(store.knex, cartId)).ledger).toEqual([
          { state: "superseded", settled: false, attention: null },
        ])
        const { data } = await store.shopper().statusOf(session.id, cartId)
        expect(data).toEqual({ status: "failed", order_canceled: true })
      })

      it("does not keep its cart locked while core hangs, and is cancelled once core goes on", async () => {
        const { cartId, orderId } = await placeUnpaidOrder(store)
        await ageOrder(store, 31)
        const letGo = await holdRow(store, "order", orderId)
        const patience = new HeldTimers("modules/crypto-payments/waiting")
        try {
          const run = store.runSchedule()
          await untilLockIsGivenUp(store, cartId, patience)
          await letGo()
          await run
        } finally {
          patience.end()
        }
        // Core goes on by itself, and nobody waits for it.
        await store.untilQuiet()
        await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("canceled")
        expect(await reservations(store, orderId)).toBe(0)
      })

      it("cannot be paid again", async () => {
        const { collectionId } = await placeUnpaidOrder(store)
        await ageOrder(store, 31)
        await settleDue(store)
        const answer = await store.shopper().openSession(collectionId)
        expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining("cancelled")])
      })

      it("appears in the attention list when money comes late", async () => {
        const { cartId, session } = await placeUnpaidOrder(store)
        await ageOrder(store, 31)
        await settleDue(store)
        await payAndNotify(store, session.data.payment_request_id)
        expect(await endOf(store, cartId)).toMatchObject({
          payments: [],
          captures: [],
          ledger: [{ attention: "paid_on_canceled" }],
        })
      })

      it("is captured, and not cancelled, when it was paid and nobody had noticed", async () => {
        const { cartId, orderId, session } = await placeUnpaidOrder(store)
        await store.gateway.pay(session.data.payment_request_id)
        await ageOrder(store, 31)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("pending")
        expect((await readEndState(store.knex, cartId)).captures).toEqual(["20.01"])
      })

      it("stays while the gateway cannot be asked", async () => {
        const { orderId } = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
        await ageOrder(store, 31)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("pending")
      })

      it("stays while another of its links is being paid", async () => {
        const { cartId, orderId, session } = await placeUnpaidOrder(store)
        const { payment_request_id: second } = await createAtGateway(session.id)
        await store.gateway.setStatus(second, "PENDING")
        const row = await ledgerRow(store, session.id)
        await store.knex("crypto_payment_request").insert({
          ...row,
          id: "cpreq_second",
          payment_request_id: second,
          session_id: "payses_former",
          session_ids: ["payses_former"],
          state: "superseded",
          // Nobody has asked the gateway about this one yet.
          gateway_status: "UNPAID",
          last_checked_at: null,
        })
        await ageOrder(store, 31)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("pending")
        expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      })

      it("is kept until the gateway has not known another of its links for an hour", async () => {
        const { orderId, session } = await placeUnpaidOrder(store)
        const row = await ledgerRow(store, session.id)
        await store.knex("crypto_payment_request").insert({
          ...row,
          id: "cpreq_second",
          payment_request_id: "unknown-to-the-gateway",
          session_id: "payses_former",
          session_ids: ["payses_former"],
          state: "superseded",
          // A reading of the first one that is seconds old would count as one of this one.
          last_checked_at: null,
        })
        await ageOrder(store, 31)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("pending")
        await store
          .knex("crypto_payment_request")
          .where({ id: "cpreq_second" })
          .update({ failing_since: new Date(Date.now() - HOUR_MS) })
        await ageOrder(store, 1)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("canceled")
      })

      it("stays as long again when its link was given again", async () => {
        const { orderId, cartId } = await placeUnpaidOrder(store)
        await ageOrder(store, 31)
        expect((await offerLink(cartId)).status).toBe(200)
        await settleDue(store)
        expect(await orderStatus(store, orderId)).toBe("pending")
      })
    })

    it("stays until then, and is looked at in time however slow the back-off has become", async () => {
      const { orderId } = await placeUnpaidOrder(store)
      await ageOrder(store, 20)
      await settleDue(store)
      expect(await orderStatus(store, orderId)).toBe("pending")
      const row = await store.knex("crypto_payment_request").first("created_at", "next_check_at")
      expect(row.next_check_at.getTime() - row.created_at.getTime()).toBeLessThan(31 * 60_000)
    })

    async function offerLink(cartId: string): Promise<AxiosResponse> {
      const { id } = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
      return await store.http.post(`/admin/crypto-payments/${id}/payment-link`, {}, await store.admin())
    }
  },
  PLACED_FIRST
)
