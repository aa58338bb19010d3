import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { PAID_OK, readEndState } from "../support/end-state"
import { createAtGateway } from "../support/gateway-requests"
import { raiseOrder } from "../support/order-edit"
import { endOf, ledgerRow, payAndNotify } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { readSession, type PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

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

    it("places the order once it is paid when the shop did not ask for it before", async () => {
      const { cartId, session } = await store.shopper().checkout()
      expect((await readEndState(store.knex, cartId)).orders).toBe(0)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("places the order while the gateway is down", async () => {
      const shopper = store.shopper()
      const { cartId } = await shopper.checkout()
      await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
      const { data } = await shopper.complete(cartId)
      expect(data.type).toBe("order")
      expect((await readEndState(store.knex, cartId)).payments).toEqual([])
    })

    it("settles a payment that a raised total has outgrown, and tells a person that the order is underpaid", async () => {
      const { cartId, orderId, session } = await placedUnpaid()
      const admin = await store.admin()
      await raiseOrder(
        async (path, body) => await store.http.post(`/admin${path}`, body, admin),
        orderId,
        store.seeded.variantIds[1]
      )
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
      const orderStatus = async (orderId: string): Promise<string> =>
        (await store.knex("order").where({ id: orderId }).first("status")).status as string

      it("gets 400 while its link is paid at the gateway and not recorded here, and it is settled then", async () => {
        const { cartId, orderId, session } = await placedUnpaid()
        await store.gateway.pay(session.data.payment_request_id)
        expect(await cancel(orderId)).toBe(400)
        expect(await endOf(store, cartId)).toMatchObject({
          captures: ["20.01"],
          transactions: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
        expect(await orderStatus(orderId)).toBe("pending")
      })

      it("gets 400 while the gateway cannot be asked", async () => {
        const { orderId } = await placedUnpaid()
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
        expect([await cancel(orderId), await orderStatus(orderId)]).toEqual([400, "pending"])
      })

      it("gets 400 while the gateway refuses to say, and learns where to look", async () => {
        const { orderId } = await placedUnpaid()
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
        const answer = await store.http.post(`/admin/orders/${orderId}/cancel`, {}, await store.admin())
        expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining("connection")])
        expect(await orderStatus(orderId)).toBe("pending")
      })

      it("is let through when the gateway does not know the link any more", async () => {
        const { orderId } = await placedUnpaid()
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
        expect([await cancel(orderId), await orderStatus(orderId)]).toEqual([200, "canceled"])
      })

      it("is let through once the gateway says that the link is not paid", async () => {
        const { orderId } = await placedUnpaid()
        expect([await cancel(orderId), await orderStatus(orderId)]).toEqual([200, "canceled"])
      })
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

    describe("once its time is over", () => {
      it("is cancelled and its stock is free", async () => {
        const { cartId, orderId, session } = await placedUnpaid()
        expect(await reservations(orderId)).toBe(1)
        await age(31)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("canceled")
        expect(await reservations(orderId)).toBe(0)
        expect((await readEndState(store.knex, cartId)).ledger).toEqual([
          { state: "superseded", settled: false, attention: null },
        ])
        const { data } = await store.shopper().get(`/crypto-payments/${session.id}?cart_id=${cartId}`)
        expect(data).toEqual({ status: "failed" })
      })

      it("is cancelled all the same when a process died while core cancelled it", async () => {
        const { orderId } = await placedUnpaid()
        const change = await store.container
          .resolve(Modules.ORDER)
          .createOrderChange({ order_id: orderId, change_type: "credit_line" })
        await store
          .knex("order_change")
          .where({ id: change.id })
          .update({ created_at: store.knex.raw("now() - interval '2 minutes'") })
        await age(31)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("canceled")
        expect(await reservations(orderId)).toBe(0)
      })

      it("cannot be paid again", async () => {
        const { collectionId } = await placedUnpaid()
        await age(31)
        await settleDue(store)
        const answer = await store.shopper().openSession(collectionId)
        expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining("cancelled")])
      })

      it("stands on the attention list when money comes late", async () => {
        const { cartId, session } = await placedUnpaid()
        await age(31)
        await settleDue(store)
        await payAndNotify(store, session.data.payment_request_id)
        expect(await endOf(store, cartId)).toMatchObject({
          payments: [],
          captures: [],
          ledger: [{ attention: "paid_on_canceled" }],
        })
      })

      it("is captured, and not cancelled, when it was paid and nobody had noticed", async () => {
        const { cartId, orderId, session } = await placedUnpaid()
        await store.gateway.pay(session.data.payment_request_id)
        await age(31)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("pending")
        expect((await readEndState(store.knex, cartId)).captures).toEqual(["20.01"])
      })

      it("stands while the gateway cannot be asked", async () => {
        const { orderId } = await placedUnpaid()
        await store.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
        await age(31)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("pending")
      })

      it("stands while another of its links is being paid", async () => {
        const { cartId, orderId, session } = await placedUnpaid()
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
        await age(31)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("pending")
        expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      })

      it("stands as long again when its link was given again", async () => {
        const { orderId, cartId } = await placedUnpaid()
        await age(31)
        expect((await offerLink(cartId)).status).toBe(200)
        await settleDue(store)
        expect(await orderStatus(orderId)).toBe("pending")
      })
    })

    it("stands until then, and is looked at in time however slow the back-off has become", async () => {
      const { orderId } = await placedUnpaid()
      await age(20)
      await settleDue(store)
      expect(await orderStatus(orderId)).toBe("pending")
      const row = await store.knex("crypto_payment_request").first("created_at", "next_check_at")
      expect(row.next_check_at.getTime() - row.created_at.getTime()).toBeLessThan(31 * 60_000)
    })

    describe("paid again", () => {
      it("from the storefront has the same link, and is captured once", async () => {
        const { cartId, collectionId, session } = await placedUnpaid()
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
        const { cartId, session } = await placedUnpaid()
        const answer = await offerLink(cartId)
        expect(answer.data).toEqual({ payment_link: session.data.payment_link })
        await payAndNotify(store, session.data.payment_request_id)
        expect((await endOf(store, cartId)).captures).toEqual(["20.01"])
      })

      it.each([
        [
          "from the storefront",
          async ({ collectionId }: PreparedCheckout) => await store.shopper().openSession(collectionId),
        ],
        ["from the admin", async ({ cartId }: PreparedCheckout) => await offerLink(cartId)],
      ])("%s while the gateway is down keeps the link the customer has", async (_, again) => {
        const checkout = await placedUnpaid()
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
        const { cartId, session } = await placedUnpaid()
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
        const { cartId, collectionId } = await placedUnpaid()
        const { status, data } = await store.container
          .resolve(Modules.LOCKING)
          .execute(`crypto:${collectionId}`, async () => await offerLink(cartId))
        expect([status, data.code]).toEqual([400, "being_started"])
      })

      it("from the admin answers 400 once it is paid", async () => {
        const { cartId, session } = await placedUnpaid()
        await payAndNotify(store, session.data.payment_request_id)
        await endOf(store, cartId)
        expect((await offerLink(cartId)).status).toBe(400)
      })
    })

    async function offerLink(cartId: string): Promise<AxiosResponse> {
      const { id } = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
      return await store.http.post(`/admin/crypto-payments/${id}/payment-link`, {}, await store.admin())
    }

    /** As if everything had happened so many minutes earlier; the row is due. */
    async function age(minutes: number): Promise<void> {
      const earlier = store.knex.raw(`created_at - interval '${minutes} minutes'`)
      await store.knex("order").update({ created_at: earlier })
      await store.knex("payment_session").update({ created_at: earlier })
      await store
        .knex("crypto_payment_request")
        .update({ created_at: earlier, next_check_at: store.knex.fn.now() })
    }

    async function orderStatus(orderId: string): Promise<string> {
      return (await store.knex("order").where({ id: orderId }).first("status")).status
    }

    async function reservations(orderId: string): Promise<number> {
      const rows = await store
        .knex("reservation_item")
        .whereNull("deleted_at")
        .whereIn("line_item_id", store.knex("order_item").where({ order_id: orderId }).select("item_id"))
      return rows.length
    }
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment", CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30" }
)
