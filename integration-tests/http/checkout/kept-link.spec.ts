import type { AxiosResponse } from "axios"
import { Modules } from "@medusajs/framework/utils"
import { neverGiveUpCalls } from "../../support/held-timers"
import { runAudit } from "../../support/audit"
import { readEndState } from "../../support/end-state"
import type { Fault } from "../../support/gateway-control"
import { payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

type Unpaid = PreparedCheckout & { orderId: string }

describeStore(
  "an unpaid order whose customer has a link",
  (store) => {
    neverGiveUpCalls()

    async function placedUnpaid(): Promise<Unpaid> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      const { data } = await shopper.complete(checkout.cartId)
      return { ...checkout, orderId: data.order.id }
    }

    const reopen = async ({ collectionId }: Unpaid): Promise<AxiosResponse> =>
      await store.shopper().openSession(collectionId)
    const press = async ({ cartId }: Unpaid): Promise<AxiosResponse> => {
      const { id } = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
      return await store.http.post(`/admin/crypto-payments/${id}/payment-link`, {}, await store.admin())
    }
    const rowOf = async ({ session }: Unpaid): Promise<Record<string, unknown>> =>
      await store
        .knex("crypto_payment_request")
        .where({ payment_request_id: session.data.payment_request_id })
        .first()

    /** The customer pays the link in their mail, and the order that is already placed is paid with it. */
    async function expectPayable(order: Unpaid): Promise<void> {
      await payAndNotify(store, order.session.data.payment_request_id)
      const row = await waitUntil(
        async () => await rowOf(order),
        ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
      )
      expect(row).toMatchObject({ state: "captured", attention_reason: null, order_id: order.orderId })
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        collection: { status: "completed", captured: "20.01" },
        captures: ["20.01"],
        orders: 1,
        transactions: ["20.01"],
      })
    }

    describe.each([
      ["the payment step is opened again", reopen],
      ["the admin asks for its link", press],
    ])("when %s", (_, again) => {
      it.each<[string, Omit<Fault, "endpoint">]>([
        ["401", { kind: "status", status: 401 }],
        ["422", { kind: "status", status: 422 }],
        ["a false flag", { kind: "false_flag" }],
        ["a page with 404", { kind: "html", status: 404 }],
      ])("and the gateway answers %s, is refused before anything is deleted", async (__, fault) => {
        const order = await placedUnpaid()
        await store.gateway.fail({ endpoint: "any", ...fault })
        expect((await again(order)).status).toBe(500)
        await store.gateway.recover()
        expect(await rowOf(order)).toMatchObject({ state: "open", session_id: order.session.id })
        expect((await readEndState(store.knex, order.cartId)).sessions).toHaveLength(1)
        await expectPayable(order)
      })

      it.each<[string, Omit<Fault, "endpoint">]>([
        ["422", { kind: "status", status: 422 }],
        ["503", { kind: "status", status: 503 }],
        ["a false flag", { kind: "false_flag" }],
        ["nothing", { kind: "reset", applied: "after" }],
      ])("and only a new link cannot be made (%s), keeps the one that was", async (__, fault) => {
        const order = await placedUnpaid()
        // Another payer: the open link is not offered, and a new one has to be made.
        await store.knex("order").where({ id: order.orderId }).update({ email: "second@example.test" })
        await store.gateway.fail({ endpoint: "create", ...fault })
        expect((await again(order)).status).toBeGreaterThanOrEqual(400)
        await store.gateway.recover()
        const kept = await rowOf(order)
        expect(kept).toMatchObject({ state: "open" })
        const [session] = await store
          .knex("payment_session")
          .where({ payment_collection_id: order.collectionId })
        expect(session).toMatchObject({ id: kept["session_id"] })
        expect(session.data).toMatchObject({ payment_request_id: order.session.data.payment_request_id })
        await expectPayable(order)
      })

      it("and its e-mail was removed, is refused before anything is deleted", async () => {
        const order = await placedUnpaid()
        await store.knex("order").where({ id: order.orderId }).update({ email: null })
        const { status, data } = await again(order)
        expect([status, data.message]).toEqual([400, expect.stringContaining("The order has no e-mail")])
        expect(await rowOf(order)).toMatchObject({ state: "open", session_id: order.session.id })
        await expectPayable(order)
      })
    })

    it("is captured when it is paid after its session is gone", async () => {
      const order = await placedUnpaid()
      await store.container.resolve(Modules.PAYMENT).deletePaymentSession(order.session.id)
      expect(await rowOf(order)).toMatchObject({ state: "superseded" })
      await expectPayable(order)
    })

    it("is captured when it was closed, and is paid after another link was given", async () => {
      const order = await placedUnpaid()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 404 })
      const fresh = readSession((await reopen(order)).data)
      await store.gateway.recover()
      expect(fresh.data.payment_link).not.toBe(order.session.data.payment_link)
      expect(await rowOf(order)).toMatchObject({ state: "closed" })
      await store.gateway.pay(order.session.data.payment_request_id)
      await store.gateway.notify(order.session.data.payment_request_id)
      await settleDue(store)
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        captures: ["20.01"],
        orders: 1,
        transactions: ["20.01"],
        ledger: [
          { state: "captured", settled: true, attention: null },
          { state: "superseded", attention: null },
        ],
      })
      // The other link is still watched: paid as well, it is told.
      await payAndNotify(store, fresh.data.payment_request_id)
      await settleDue(store)
      expect((await readEndState(store.knex, order.cartId)).ledger[1]).toMatchObject({
        attention: "duplicate_payment",
      })
    })

    it("is captured once when it was paid on both links before anybody noticed", async () => {
      const order = await placedUnpaid()
      await store.knex("order").where({ id: order.orderId }).update({ email: "second@example.test" })
      const second = readSession((await reopen(order)).data)
      await store.gateway.pay(order.session.data.payment_request_id)
      await store.gateway.pay(second.data.payment_request_id)
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      // A case of money that nobody waits for any more is not looked at again by itself.
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      const end = await readEndState(store.knex, order.cartId)
      expect(end).toMatchObject({ captures: ["20.01"], orders: 1, transactions: ["20.01"] })
      expect(end.ledger.map(({ attention }) => attention).sort()).toEqual(["duplicate_payment", null].sort())
    })

    it("is watched by a new link whose answer comes after the order was cancelled", async () => {
      const order = await placedUnpaid()
      await store.knex("order").where({ id: order.orderId }).update({ email: "second@example.test" })
      await store.gateway.hold("create")
      const answer = press(order)
      const newest = async (): Promise<Record<string, unknown>> =>
        await store.knex("crypto_payment_request").orderBy("created_at", "desc").first()
      await store.gateway.untilHeld(1)
      expect(await newest()).toMatchObject({ state: "creating" })
      expect(
        (await store.http.post(`/admin/orders/${order.orderId}/cancel`, {}, await store.admin())).status
      ).toBe(200)
      await waitUntil(newest, ({ state }) => state === "closed")
      expect(await newest()).toMatchObject({ payment_request_id: null })
      await store.gateway.release()

      expect([(await answer).status, (await answer).data.message]).toEqual([
        400,
        "The cart or the order was changed while this payment link was created. Open the payment step again.",
      ])
      const created = (await store.gateway.payments()).map(({ payment_request_id }) => payment_request_id)
      expect(await newest()).toMatchObject({
        state: "closed",
        payment_request_id: created.find((id) => id !== order.session.data.payment_request_id),
        next_check_at: expect.any(Date),
      })
      expect((await runAudit(store)).findings).toEqual([])
    })

    it("is cancelled in time without a session", async () => {
      const order = await placedUnpaid()
      await store.container.resolve(Modules.PAYMENT).deletePaymentSession(order.session.id)
      const earlier = store.knex.raw("created_at - interval '31 minutes'")
      await store.knex("order").update({ created_at: earlier })
      await store
        .knex("crypto_payment_request")
        .update({ created_at: earlier, next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect((await store.knex("order").where({ id: order.orderId }).first("status")).status).toBe("canceled")
    })

    it("gets a link that carries the e-mail and the name as they were corrected", async () => {
      const order = await placedUnpaid()
      const admin = await store.admin()
      const corrected = await store.http.post(
        `/admin/orders/${order.orderId}`,
        { email: "corrected@example.test", shipping_address: { first_name: "Amina", last_name: "Saleh" } },
        admin
      )
      expect(corrected.status).toBe(200)
      expect((await press(order)).status).toBe(200)
      const creates = await store.gateway.calls("POST")
      expect(creates.at(-1)?.body).toMatchObject({
        payer_email_address: "corrected@example.test",
        payer_first_name: "Amina",
        payer_last_name: "Saleh",
      })
      expect(creates).toHaveLength(2)
    })
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment", CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30" }
)
