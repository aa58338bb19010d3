import type { AxiosResponse } from "axios"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { PAID_OK, readEndState } from "../../support/end-state"
import { payOrphan, placePaidOrder, payAndNotify, ledgerRow, endOf } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { OrderChanges } from "../../support/order-changes"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { placeUnpaidOrder } from "../../support/unpaid-order"

const GONE = "pp_crypto_gone"
const MISSING = {
  code: "provider_missing",
  message: expect.stringMatching(/"pp_crypto_gone".*the id "gone"/),
}

describeStore(
  "a provider that medusa-config does not register any more",
  (store) => {
    const admin = new OrderChanges(store).post
    const get = async (path: string): Promise<AxiosResponse> =>
      await store.http.get(`/admin/crypto-payments${path}`, await store.admin())
    const register = async (id: string, reference = "0xabc"): Promise<AxiosResponse> =>
      await admin(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference })
    const rowOf = async (id: string): Promise<CryptoPaymentRequestRow> =>
      (await store.knex("crypto_payment_request").where({ id }).first()) as CryptoPaymentRequestRow

    /** As if what there is was made before the provider was renamed. */
    async function use(provider_id: string): Promise<void> {
      for (const table of ["crypto_payment_request", "payment_session", "payment"]) {
        await store.knex(table).update({ provider_id })
      }
    }

    async function makeOverdue(changes: object = {}): Promise<void> {
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0), ...changes })
    }

    /** The money is recorded, and its provider is gone before the settle. */
    async function payWithoutProvider(): Promise<{ cartId: string; id: string }> {
      const { cartId, session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      await store.gateway.pay(session.data.payment_request_id)
      await use(GONE)
      await makeOverdue({
        state: "paid",
        paid_at: store.knex.fn.now(),
        gateway_status: "PAID",
        gateway_amount: "20.01",
        gateway_currency_symbol: "USD",
      })
      await settleDue(store)
      // During a deploy, another instance may know the provider.
      expect(await rowOf(id)).toMatchObject({ attention_reason: null, next_check_at: expect.any(Date) })
      await makeOverdue({ paid_at: store.knex.raw("now() - interval '10 minutes'") })
      await settleDue(store)
      return { cartId, id }
    }

    it("refuses a refund before anything is written, and takes it once the provider is back", async () => {
      const { cartId, id } = await placePaidOrder(store)
      await nothingIsDue(store)
      await use(GONE)
      for (let press = 0; press < 2; press++) {
        const { status, data } = await register(id)
        expect([status, data]).toEqual([400, { type: "not_allowed", ...MISSING }])
      }
      expect(await store.knex("crypto_payment_refund")).toEqual([])
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect((await get(`/${id}?live=false`)).data.crypto_payment.refundable_amount).toBe("20.01")
      expect((await rowOf(id)).refund_registered_at).toBeNull()

      await use("pp_crypto_default")
      expect((await register(id)).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        refunds: ["20.01"],
        transactions: ["20.01", "-20.01"],
        ledger: [{ state: "refunded", attention: null }],
      })
    })

    it("registers a refund of money that Medusa has no payment of: that needs no provider", async () => {
      const { id } = await payOrphan(store)
      await nothingIsDue(store)
      await use(GONE)
      expect((await register(id)).status).toBe(200)
      expect(await rowOf(id)).toMatchObject({ state: "refunded", attention_reason: null })
      await use("pp_crypto_default")
    })

    it("keeps a paid order from being cancelled", async () => {
      const { orderId } = await placePaidOrder(store)
      await nothingIsDue(store)
      await use(GONE)
      const { status, data } = await admin(`/orders/${orderId}/cancel`)
      // The refund's registration then says that the provider is missing.
      expect([status, data.message]).toEqual([400, expect.stringContaining("Register refund")])
      expect((await store.knex("order").where({ id: orderId }).first("status")).status).toBe("pending")
      await use("pp_crypto_default")
    })

    describe("whose link is open", () => {
      it("is named by Check now, the payment's page and health", async () => {
        const { session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        await use(GONE)
        const checked = await admin(`/crypto-payments/${id}/settle`)
        expect([checked.status, checked.data.check.gateway]).toEqual([200, "not_asked"])
        expect(checked.data.crypto_payment.failure).toBe(MISSING.code)

        const { data: page } = await get(`/${id}`)
        expect(page.crypto_payment).toMatchObject({
          gateway_record: null,
          gateway_problem: { problem: MISSING.code, message: MISSING.message },
        })

        const { data: health } = await get("/health")
        expect(health.providers).toEqual([
          expect.objectContaining({ provider_id: "pp_crypto_default", registered: true, open: 0 }),
          expect.objectContaining({
            provider_id: GONE,
            registered: false,
            configured: false,
            problem: MISSING.message,
            open: 1,
          }),
        ])
        await use("pp_crypto_default")
      })

      it.each(["pp_crypto_default", "pp_system_default"])(
        "does not keep its payer from choosing %s",
        async (provider_id) => {
          const shopper = store.shopper()
          const { cartId, collectionId, session } = await shopper.checkout()
          const { id } = await ledgerRow(store, session.id)
          await use(GONE)
          const { status } = await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
            provider_id,
          })
          expect(status).toBe(200)
          expect(await rowOf(id)).toMatchObject({ state: "superseded", provider_id: GONE })
          expect(await store.knex("payment_session").where({ id: session.id })).toEqual([])
          expect((await shopper.complete(cartId)).data.type).toBe("order")
          await store.knex("crypto_payment_request").update({ provider_id: "pp_crypto_default" })
        }
      )

      it("is not paid a second time once the money is recorded", async () => {
        const shopper = store.shopper()
        const { collectionId, session } = await shopper.checkout()
        await use(GONE)
        await store.knex("crypto_payment_request").update({ state: "paid", paid_at: new Date() })
        const path = `/payment-collections/${collectionId}/payment-sessions`
        const { status, data } = await shopper.post(path, { provider_id: "pp_system_default" })
        expect([status, data.message]).toEqual([400, expect.stringContaining("already paid")])
        expect(await store.knex("payment_session").pluck("id")).toEqual([session.id])
        store.leavesDamage("its PAID was written by hand")
      })

      it("is a case after an hour, which closes itself; the payment is captured when it is back", async () => {
        const { cartId, session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        await use(GONE)
        await payAndNotify(store, session.data.payment_request_id)
        await makeOverdue()
        await settleDue(store)
        expect(await rowOf(id)).toMatchObject({
          state: "open",
          failure: "provider_missing",
          attention_reason: null,
        })

        const anHourAgo = store.knex.raw("now() - interval '61 minutes'")
        await makeOverdue({ failing_since: anHourAgo, unread_since: anHourAgo })
        await settleDue(store)
        expect(await rowOf(id)).toMatchObject({ state: "open", attention_reason: "provider_missing" })
        expect((await rowOf(id)).next_check_at).not.toBeNull()

        await use("pp_crypto_default")
        await makeOverdue()
        await settleDue(store)
        expect(await endOf(store, cartId)).toEqual(PAID_OK)
      })

      it("is no case at once after an hour in which its gateway refused, nor the other way round", async () => {
        const { session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        const anHourAgo = store.knex.raw("now() - interval '61 minutes'")
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
        await makeOverdue()
        await settleDue(store)
        await use(GONE)
        await makeOverdue({ failing_since: anHourAgo, unread_since: anHourAgo })
        await settleDue(store)
        expect(await rowOf(id)).toMatchObject({ failure: "provider_missing", attention_reason: null })

        await use("pp_crypto_default")
        await makeOverdue({ failing_since: anHourAgo, unread_since: anHourAgo })
        await settleDue(store)
        expect(await rowOf(id)).toMatchObject({ failure: "refused", attention_reason: null })
      })

      it("is one case while its gateway refuses in between", async () => {
        const { session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
        for (const provider of [GONE, "pp_crypto_default", GONE, "pp_crypto_default"]) {
          await use(provider)
          await makeOverdue()
          await settleDue(store)
          await makeOverdue({ failing_since: store.knex.raw("now() - interval '61 minutes'") })
          await settleDue(store)
        }
        const cases = (await readTimeline(store, id)).filter(({ type }) => type === "attention")
        expect(cases).toEqual([{ type: "attention", detail: { reason: "provider_missing" } }])
      })

      it("is never closed for not being known: nobody asked its gateway", async () => {
        const { collectionId, session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        await use(GONE)
        await store.knex("payment_session").where({ payment_collection_id: collectionId }).delete()
        await makeOverdue({ created_at: store.knex.raw("now() - interval '8 days'") })
        await settleDue(store)
        expect(await rowOf(id)).toMatchObject({ state: "open", failure: "provider_missing" })
        await use("pp_crypto_default")
      })
    })

    it("is a case after ten minutes where money is recorded that core cannot capture without it", async () => {
      const { cartId, id } = await payWithoutProvider()
      expect(await rowOf(id)).toMatchObject({ state: "paid", attention_reason: "provider_missing" })

      await use("pp_crypto_default")
      await makeOverdue()
      await settleDue(store)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("captures money whose case an admin user has closed only when one checks it", async () => {
      const { cartId, id } = await payWithoutProvider()
      const admin = await store.admin()
      const note = { note: "sent back by hand" }
      expect((await store.http.post(`/admin/crypto-payments/${id}/resolve`, note, admin)).status).toBe(200)

      await use("pp_crypto_default")
      await makeOverdue()
      await settleDue(store)
      expect((await store.shopper().complete(cartId)).status).toBe(400)
      expect(await rowOf(id)).toMatchObject({
        state: "paid",
        attention_reason: "provider_missing",
        attention_note: "sent back by hand",
      })
      expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: [], orders: 0 })

      await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, admin)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    describe("whose session an unpaid order's collection has", () => {
      const orderWithoutProvider = async () => {
        const order = await placeUnpaidOrder(store)
        const { id } = await ledgerRow(store, order.session.id)
        await use(GONE)
        return { ...order, id }
      }
      const expectLetGo = async ({ id, session }: { id: string; session: { id: string } }) => {
        expect(await rowOf(id)).toMatchObject({ state: "superseded", provider_id: GONE })
        expect(await store.knex("payment_session").where({ id: session.id })).toEqual([])
        await store.knex("crypto_payment_request").update({ provider_id: "pp_crypto_default" })
      }

      it.each([
        ["that is named", { provider_id: "pp_crypto_default" }],
        ["that is the only one left", {}],
      ])("does not keep the merchant from sending a link of another provider %s", async (_, body) => {
        const order = await orderWithoutProvider()
        const path = `/crypto-payments/orders/${order.orderId}/payment-link`
        const { status, data } = await admin(path, body)
        expect([status, data]).toEqual([200, expect.objectContaining({ payment_link: expect.any(String) })])
        await expectLetGo(order)
      })

      it("does not keep the merchant from marking the order as paid", async () => {
        const { orderId: order_id, session } = await placeUnpaidOrder(store)
        const { data } = await admin("/payment-collections", { order_id, amount: 20.01 })
        const payment_collection_id = data.payment_collection.id as string
        const own = await store.knex("payment_session").where({ id: session.id }).first()
        const of = { payment_collection_id, provider_id: GONE, data: JSON.stringify({}) }
        await store.knex("payment_session").insert({ ...own, ...of, id: "payses_gone" })
        const path = `/payment-collections/${payment_collection_id}/mark-as-paid`
        expect((await admin(path, { order_id })).status).toBe(200)
        expect(await store.knex("payment_session").where({ provider_id: GONE })).toEqual([])
      })

      it("is refused to be marked as paid while its money is recorded", async () => {
        const order = await orderWithoutProvider()
        await store.knex("crypto_payment_request").update({ state: "paid", paid_at: new Date() })
        const path = `/payment-collections/${order.collectionId}/mark-as-paid`
        const { status, data } = await admin(path, { order_id: order.orderId })
        expect([status, data.message]).toEqual([400, expect.stringContaining("already paid")])
        expect(await store.knex("payment_session").pluck("id")).toEqual([order.session.id])
        store.leavesDamage("its PAID was written by hand")
      })
    })

    it("whose session takes the place of a deleted one makes that one's money a case, until it is back", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      const { id } = await ledgerRow(store, session.id)
      expect((await shopper.openSession(collectionId, undefined, "pp_system_default")).status).toBe(200)
      await store.knex("payment_session").update({ provider_id: GONE })
      await payAndNotify(store, session.data.payment_request_id)
      await settleDue(store)
      await makeOverdue({ paid_at: store.knex.raw("now() - interval '3 minutes'") })
      await settleDue(store)
      expect(await rowOf(id)).toMatchObject({ state: "paid", attention_reason: "orphan_paid" })
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])

      await store.knex("payment_session").update({ provider_id: "pp_system_default" })
      await makeOverdue()
      await settleDue(store)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("whose session is left next to the paid one does not keep the payment from its order", async () => {
      const { cartId, session } = await placeUnpaidOrder(store)
      const own = await store.knex("payment_session").where({ id: session.id }).first()
      const data = JSON.stringify({})
      await store.knex("payment_session").insert({ ...own, id: "payses_gone", provider_id: GONE, data })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual({ ...PAID_OK, sessions: expect.any(Array) })
    })

    it("gives no link of an unpaid order, and does not let the order be cancelled: the link may be paid", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      const orderId = (await shopper.complete(cartId)).data.order.id as string
      const { id } = await ledgerRow(store, session.id)
      await use(GONE)
      const link = await admin(`/crypto-payments/${id}/payment-link`)
      expect([link.status, link.data]).toEqual([400, { type: "invalid_data", ...MISSING }])
      const cancelled = await admin(`/orders/${orderId}/cancel`)
      expect([cancelled.status, cancelled.data.message]).toEqual([400, MISSING.message])
      expect((await store.knex("order").where({ id: orderId }).first("status")).status).toBe("pending")
      await use("pp_crypto_default")
    })
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment" }
)
