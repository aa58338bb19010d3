import { everythingHeard, hear } from "../../support/heard-events"
import { endOf, ledgerRow, payAndNotify, placePaidOrder, payOrphan } from "../../support/paid-checkout"
import { refuseOrders } from "../../support/refused-orders"
import { settleDue } from "../../support/settle-due"
import { OrderChanges } from "../../support/order-changes"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { waitUntil } from "../../support/wait-until"

describeStore("what is told of a payment request", (store) => {
  const admin = new OrderChanges(store).post
  /** A notification, the admin and the schedule ask for it once more. */
  const settleAgain = async (id: string): Promise<void> => {
    const { payment_request_id } = await store.knex("crypto_payment_request").where({ id }).first()
    await store.gateway.notify(payment_request_id as string)
    await admin(`/crypto-payments/${id}/settle`)
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
  }
  const heardOne = async (heard: Record<string, unknown>[]): Promise<void> => {
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    await everythingHeard(store)
  }
  /** All a subscriber gets to know: ids, amounts and reasons. */
  const KEYS = [
    "amount",
    "cart_id",
    "currency_code",
    "event_id",
    "id",
    "order_id",
    "payment_request_id",
    "provider_id",
    "session_id",
  ]

  describe("to subscribers", () => {
    it("is `settled`, once, with the order it became", async () => {
      const heard = hear(store, "crypto_payment.settled")
      const { cartId, id, orderId, session } = await placePaidOrder(store)
      await settleAgain(id)
      await heardOne(heard)
      expect(heard).toEqual([
        expect.objectContaining({
          id,
          cart_id: cartId,
          order_id: orderId,
          session_id: session.id,
          amount: "20.01",
          currency_code: "usd",
        }),
      ])
      expect(Object.keys(heard[0] ?? {}).sort()).toEqual(KEYS)
    })

    it("is `settled`, once, when the storefront completes the cart itself", async () => {
      const heard = hear(store, "crypto_payment.settled")
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const { data } = await shopper.complete(cartId)
      await endOf(store, cartId)
      await settleAgain((await ledgerRow(store, session.id)).id)
      await heardOne(heard)
      expect(heard).toEqual([expect.objectContaining({ order_id: data.order.id })])
    })

    it("is `attention_required`, once, with the reason", async () => {
      const heard = hear(store, "crypto_payment.attention_required")
      const { cartId, id } = await payOrphan(store)
      await settleAgain(id)
      await heardOne(heard)
      expect(heard).toEqual([
        expect.objectContaining({ id, cart_id: cartId, amount: "20.01", reason: "orphan_paid" }),
      ])
      expect(Object.keys(heard[0] ?? {}).sort()).toEqual([...KEYS, "reason"].sort())
    })

    it("is both, each once, when an order could be placed only later", async () => {
      const needing = hear(store, "crypto_payment.attention_required")
      const settled = hear(store, "crypto_payment.settled")
      const { cartId, session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const allowOrders = await refuseOrders(store)
      await payAndNotify(store, session.data.payment_request_id)
      await endOf(store, cartId)
      await settleAgain(id)
      await allowOrders()
      await settleAgain(id)
      await heardOne(settled)
      expect([needing.map(({ reason }) => reason), settled.length]).toEqual([["paid_without_order"], 1])
    })
  })

  describe("in its timeline", () => {
    it("is how it was created, notified, checked, captured and settled", async () => {
      const { id, session, orderId } = await placePaidOrder(store)
      const { payment_request_id } = session.data
      expect(await readTimeline(store, id)).toEqual([
        { type: "created", detail: { payment_request_id } },
        { type: "notified", detail: {} },
        { type: "paid", detail: { amount: expect.stringMatching(/^20\.01/), currency_symbol: "USD" } },
        { type: "checked", detail: { trigger: "notification", status: "PAID", failure: null } },
        { type: "captured", detail: { amount: "20.01" } },
        { type: "settled", detail: { order_id: orderId } },
      ])
    })

    it("is that it could not be let go, once paid", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await shopper.post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
      await endOf(store, cartId)
      const { id } = await ledgerRow(store, session.id)
      expect(await readTimeline(store, id)).toContainEqual({
        type: "refused",
        detail: { what: "deletion", session_id: session.id },
      })
    })

    it("is its case, what an admin user did about it, and what was sent back", async () => {
      const { id } = await payOrphan(store)
      await admin(`/crypto-payments/${id}/resolve`, { note: "asked the shopper" })
      await admin(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: "0xabc" })
      const told = (await readTimeline(store, id)).filter(({ type }) =>
        ["superseded", "attention", "resolved", "refund"].includes(type)
      )
      expect(told).toEqual([
        { type: "superseded", detail: { session_id: expect.any(String) } },
        { type: "attention", detail: { reason: "orphan_paid" } },
        { type: "resolved", detail: { note: "asked the shopper", by: expect.stringMatching(/^user_/) } },
        { type: "refund", detail: { amount: "20.01", reference: "0xabc" } },
      ])
    })

    it("is when the gateway could not be read, once an outage", async () => {
      const { session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      await settleAgain(id)
      const checks = (await readTimeline(store, id)).filter(({ type }) => type === "checked")
      expect(checks).toEqual([
        { type: "checked", detail: expect.objectContaining({ failure: "unreadable" }) },
      ])
    })

    it("comes in pages, the newest first, and each entry is on one", async () => {
      const { id } = await placePaidOrder(store)
      await store.knex("crypto_payment_activity").where({ request_id: id }).delete()
      await store.knex("crypto_payment_activity").insert(
        Array.from({ length: 45 }, (_, n) => ({
          id: `cpact_${String(n)}`,
          request_id: id,
          type: n % 40 === 0 ? "settled" : "reused",
        }))
      )
      const read = async (page = ""): Promise<{ ids: string[]; settled: boolean[]; count: number }> => {
        const path = `/admin/crypto-payments/${id}?live=false${page}`
        const { status, data } = await store.http.get(path, await store.admin())
        expect(status).toBe(200)
        const { activities, activities_count: count } = data.crypto_payment as {
          activities: { id: string; type: string; is_first: boolean }[]
          activities_count: number
        }
        const settled = activities.filter(({ type }) => type === "settled").map(({ is_first }) => is_first)
        return { ids: activities.map((entry) => entry.id), settled, count }
      }
      const from = (first: number, last: number): string[] =>
        Array.from({ length: last - first + 1 }, (_, n) => `cpact_${String(first + n)}`)
      expect(await read()).toEqual({ ids: from(25, 44), settled: [false], count: 45 })
      expect(await read("&offset=20")).toEqual({ ids: from(5, 24), settled: [], count: 45 })
      expect(await read("&offset=40")).toEqual({ ids: from(0, 4), settled: [true], count: 45 })
      expect(await read("&limit=2&offset=1")).toEqual({ ids: from(42, 43), settled: [], count: 45 })
      expect(await read("&offset=45")).toEqual({ ids: [], settled: [], count: 45 })
      for (const wrong of ["&limit=0", "&limit=201", "&offset=-1"]) {
        const path = `/admin/crypto-payments/${id}?live=false${wrong}`
        expect([wrong, (await store.http.get(path, await store.admin())).status]).toEqual([wrong, 400])
      }
    })

    it("is never who paid", async () => {
      await payOrphan(store)
      const order = await placePaidOrder(store)
      await admin(`/crypto-payments/${order.id}/refunds`, { amount: "20.01", reference: "0xabc" })
      for (const table of ["crypto_payment_activity", "crypto_payment_request", "crypto_payment_refund"]) {
        const rows = JSON.stringify(await store.knex(table).select())
        expect([table, /example\.test|Aisha|Rahman/i.exec(rows)?.[0]]).toEqual([table, undefined])
      }
    })
  })
})
