import { PAID_OK, readEndState } from "../../support/end-state"
import type { Fault } from "../../support/gateway-control"
import { ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import {
  cancelByHand as cancel,
  failedFor,
  HOUR_MS,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  reservations,
  settleLater as settle,
} from "../../support/unpaid-order"

describeStore(
  "an unpaid order whose only link the gateway",
  (store) => {
    const refusals: [string, Fault][] = [
      ["refuses to show", { endpoint: "read", kind: "status", status: 401 }],
      ["answers with a page of 404", { endpoint: "read", kind: "html", status: 404 }],
    ]

    it("does not know for an hour is cancelled once its time is over: nobody can pay it", async () => {
      const { orderId, cartId } = await placeUnpaidOrder(store)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
      await settle(store, 31)
      expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual(["pending", 1])

      await failedFor(store, HOUR_MS)
      await settle(store, 1)
      expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual(["canceled", 0])
      expect((await readEndState(store.knex, cartId)).ledger).toEqual([
        { state: "closed", settled: false, attention: null },
      ])
    })

    it("refuses for two hours and then does not know once is kept: the link may be paid", async () => {
      const { cartId, orderId, session } = await placeUnpaidOrder(store)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
      await settle(store, 31)
      await failedFor(store, 2 * HOUR_MS)
      await store.gateway.pay(session.data.payment_request_id)
      // The notification is lost, and the token is now another account's.
      await store.gateway.recover()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
      await settle(store, 1)
      expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual(["pending", 1])
      const row = await ledgerRow(store, session.id)
      expect(row.failure).toBe("unknown_to_gateway")
      expect(row.failing_since?.getTime()).toBeGreaterThan(Date.now() - HOUR_MS)

      await store.gateway.recover()
      await settle(store, 1)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("does not know is a case until then, which closes itself", async () => {
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
      await settle(store, 1)
      await failedFor(store, HOUR_MS)
      await settle(store, 1)
      const { id, attention_reason } = await ledgerRow(store, session.id)
      expect([attention_reason, await orderStatus(store, orderId)]).toEqual(["gateway_refuses", "pending"])

      await settle(store, 30)
      expect(await orderStatus(store, orderId)).toBe("canceled")
      expect((await ledgerRow(store, session.id)).attention_reason).toBeNull()
      expect((await readTimeline(store, id)).filter(({ type }) => type === "resolved")).toEqual([
        { type: "resolved", detail: { reason: "gateway_refuses" } },
      ])
    })

    it("did not know appears in the attention list when it was paid after all", async () => {
      const { cartId, session } = await placeUnpaidOrder(store)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
      await settle(store, 31)
      await failedFor(store, HOUR_MS)
      await settle(store, 1)
      await store.gateway.recover()
      await payAndNotify(store, session.data.payment_request_id)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: [],
        ledger: [{ state: "paid", attention: "paid_on_canceled" }],
      })
    })

    it.each(refusals)(
      "does not show stays, however long: it %s, and the link may be paid",
      async (_, fault) => {
        const { orderId, session } = await placeUnpaidOrder(store)
        await store.gateway.fail(fault)
        await settle(store, 31)
        await failedFor(store, 48 * HOUR_MS)
        await settle(store, 48 * 60)
        expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual([
          "pending",
          1,
        ])
        expect((await ledgerRow(store, session.id)).attention_reason).toBe("gateway_refuses")
      }
    )

    it("of a former address cannot be asked about keeps the order from being cancelled", async () => {
      const { orderId, session } = await placeUnpaidOrder(store)
      // Nobody has said yet whose the requests of the former address are. The settings page and health ask.
      await store.knex("crypto_payment_request").update({ gateway_origin: "https://former.example" })
      const { payment_request_id } = session.data
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404, payment_request_id })
      expect(await cancel(store, orderId)).toEqual([400, "pending"])
      await settle(store, 31)
      await failedFor(store, HOUR_MS)
      await settle(store, 1)
      expect(await orderStatus(store, orderId)).toBe("pending")
      expect((await ledgerRow(store, session.id)).attention_reason).toBeNull()

      // The way out: a link at the address in use takes the place of the one that cannot be read.
      const { id } = await ledgerRow(store, session.id)
      const offered = await store.http.post(
        `/admin/crypto-payments/${id}/payment-link`,
        {},
        await store.admin()
      )
      expect(offered.status).toBe(200)
      expect(await cancel(store, orderId)).toEqual([200, "canceled"])
    })
  },
  PLACED_FIRST
)
