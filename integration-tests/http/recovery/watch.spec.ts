import { reconcileGatewayList } from "../../../.medusa/server/src/workflows"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import type { Fault } from "../../support/gateway-control"
import { hear } from "../../support/heard-events"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { waitUntil } from "../../support/wait-until"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describeStore("watching a payment request", (store) => {
  /** Changes the store's one ledger row, as time passing would, and lets the schedule settle it. */
  const settleAs = async (changes: Record<string, unknown>): Promise<void> => {
    const free = store.knex("crypto_payment_request").where({ lease_until: null })
    // A settle of a notification may be running, and would write its own next check over this one.
    await waitUntil(
      async () => await free.clone().update({ ...changes, next_check_at: new Date(0) }),
      (updated) => updated > 0
    )
    await settleDue(store)
  }
  const ago = (ms: number): Date => new Date(Date.now() - ms)
  const nextCheckInMs = async ({ session }: PreparedCheckout): Promise<number> => {
    const { next_check_at } = await ledgerRow(store, session.id)
    return next_check_at === null ? Infinity : next_check_at.getTime() - Date.now()
  }

  describe("whose gateway", () => {
    const refused: [string, Fault][] = [404, 401, 403].map((status) => [
      `answers ${String(status)}`,
      { endpoint: "read", kind: "status", status },
    ])
    const unreadable: [string, Fault][] = [
      ["answers 503", { endpoint: "read", kind: "status", status: 503 }],
      ["breaks its answers off", { endpoint: "read", kind: "cut_json" }],
      ["is behind a firewall that answers 403", { endpoint: "read", kind: "html", status: 403 }],
    ]

    it.each([
      ...refused.map((fault) => [...fault, "gateway_refuses", HOUR_MS] as const),
      ...unreadable.map((fault) => [...fault, "gateway_unreadable", DAY_MS] as const),
    ])("%s opens a case when that has lasted, and not before", async (_, fault, reason, limitMs) => {
      const checkout = await store.shopper().checkout()
      await store.gateway.fail(fault)
      await settleAs({})
      await settleAs({ failing_since: ago(limitMs - MINUTE_MS) })
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)

      await settleAs({ failing_since: ago(limitMs) })
      expect((await ledgerRow(store, checkout.session.id)).attention_reason).toBe(reason)
      const nextMs = await nextCheckInMs(checkout)
      expect(nextMs).toBeGreaterThan(55 * MINUTE_MS)
      expect(nextMs).toBeLessThanOrEqual(HOUR_MS)
    })

    it.each([
      ["refuses", refused[0]?.[1], "gateway_refuses"],
      ["cannot be read", unreadable[0]?.[1], "gateway_unreadable"],
    ])("%s closes its case by answering again", async (_, fault, reason) => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.fail(fault as Fault)
      await settleAs({})
      await settleAs({ failing_since: ago(DAY_MS) })
      await settleAs({})
      await store.gateway.recover()
      await settleAs({})

      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
      const row = await ledgerRow(store, session.id)
      expect([row.failure, row.failing_since, row.attention_since]).toEqual([null, null, null])
      const cases = (await readTimeline(store, row.id)).filter(({ type }) =>
        ["attention", "resolved"].includes(type)
      )
      expect(cases).toEqual([
        { type: "attention", detail: { reason } },
        { type: "resolved", detail: { reason } },
      ])
    })

    it("has answered no read yet is not said to process a payment", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      await settleAs({})
      expect((await ledgerRow(store, session.id)).gateway_status).toBe("PENDING")
      const { data } = await store.shopper().statusOf(session.id, cartId)
      expect(data).toMatchObject({ status: "awaiting_payment" })
    })

    it("answers again with PAID is settled, and its case closed", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 401 })
      await settleAs({})
      await settleAs({ failing_since: ago(HOUR_MS) })
      await store.gateway.pay(session.data.payment_request_id)
      await store.gateway.recover()
      await settleAs({})
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("fails a second time opens a second case", async () => {
      const heard = hear(store, "crypto_payment.attention_required")
      await store.shopper().checkout()
      for (let outage = 0; outage < 2; outage++) {
        await store.gateway.fail({ endpoint: "read", kind: "status", status: 403 })
        await settleAs({})
        await settleAs({ failing_since: ago(HOUR_MS) })
        await store.gateway.recover()
        await settleAs({})
      }
      await waitUntil(
        async () => await Promise.resolve(heard),
        ({ length }) => length === 2
      )
    })
  })

  describe("that nobody waits for any more", () => {
    /** A link that a change of the cart has replaced; a week later it is closed. */
    async function closed(): Promise<PreparedCheckout> {
      const checkout = await superseded()
      await settleAs({ created_at: ago(8 * DAY_MS) })
      expect((await ledgerRow(store, checkout.session.id)).state).toBe("closed")
      return checkout
    }

    async function superseded(): Promise<PreparedCheckout> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await shopper.post(`/carts/${checkout.cartId}/line-items`, {
        variant_id: store.seeded.variantId,
        quantity: 1,
      })
      return checkout
    }

    const orphan = {
      payments: [],
      captures: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "orphan_paid" }],
    }

    it("is watched for seven days", async () => {
      const { session } = await superseded()
      await settleAs({ created_at: ago(7 * DAY_MS - MINUTE_MS) })
      expect((await ledgerRow(store, session.id)).state).toBe("superseded")
    })

    it("is closed then, and looked at again after fourteen days", async () => {
      const nextMs = await nextCheckInMs(await closed())
      expect(nextMs).toBeGreaterThan(5.9 * DAY_MS)
      expect(nextMs).toBeLessThanOrEqual(6 * DAY_MS)
    })

    it("appears in the attention list when it is paid late and the gateway notifies", async () => {
      const { cartId, session } = await closed()
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject(orphan)
    })

    it("appears in the attention list when it is paid late and only the gateway's list shows it", async () => {
      const { cartId, session } = await closed()
      await store.gateway.pay(session.data.payment_request_id)
      await reconcileGatewayList(store.container, { provider_id: "pp_crypto_default" })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject(orphan)
    })

    it("appears in the attention list when it is paid late and only the last checks see it", async () => {
      const { cartId, session } = await closed()
      await store.gateway.pay(session.data.payment_request_id)
      await settleAs({})
      expect(await readEndState(store.knex, cartId)).toMatchObject(orphan)
    })

    it("pays the cart after all when the shopper comes back for the same amount", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await closed()
      await payAndNotify(store, session.data.payment_request_id)
      await endOf(store, cartId)
      const { data } = await shopper.get(`/carts/${cartId}`)
      const [first] = data.cart.items as { id: string }[]
      await shopper.post(`/carts/${cartId}/line-items/${String(first?.id)}`, { quantity: 1 })

      const again = readSession((await shopper.openSession(collectionId)).data)
      expect(again.data.payment_request_id).toBe(session.data.payment_request_id)
      const state = await waitUntil(
        async () => await readEndState(store.knex, cartId),
        ({ ledger }) => ledger[0]?.settled === true
      )
      expect(state).toEqual(PAID_OK)
      expect(await store.gateway.calls("POST")).toHaveLength(1)
    })
  })

  it("that is old is looked at every few minutes again once its link is offered again", async () => {
    const shopper = store.shopper()
    const { collectionId } = await shopper.checkout()
    await store.knex("payment_session").update({ created_at: ago(8 * DAY_MS) })
    await store.knex("crypto_payment_request").update({ created_at: ago(8 * DAY_MS) })
    await store.knex("crypto_payment_request").update({ next_check_at: ago(-6 * DAY_MS) })
    const again = readSession((await shopper.openSession(collectionId)).data)
    const checkout = { session: again } as PreparedCheckout
    expect(await nextCheckInMs(checkout)).toBeLessThanOrEqual(MINUTE_MS)
    await settleAs({})
    expect(await nextCheckInMs(checkout)).toBeLessThanOrEqual(2 * MINUTE_MS)
    expect(await store.gateway.calls("POST")).toHaveLength(1)
  })

  it("that has a live session is never closed", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await settleAs({ created_at: ago(100 * DAY_MS) })
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
    expect((await ledgerRow(store, session.id)).next_check_at).not.toBeNull()
  })

  it("of an abandoned cart is closed without a case once the gateway has forgotten it", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.reset()
    await settleAs({ created_at: ago(8 * DAY_MS) })
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
    await settleAs({ failing_since: ago(HOUR_MS) })
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      orders: 0,
      ledger: [{ state: "closed", settled: false, attention: null }],
    })
    expect((await ledgerRow(store, session.id)).next_check_at).not.toBeNull()
  })

  it("whose session still lives is captured by the payer's return, although it was closed", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await store.knex("crypto_payment_request").update({ state: "closed", created_at: ago(8 * DAY_MS) })
    await store.gateway.pay(session.data.payment_request_id)
    expect((await shopper.complete(cartId)).data.type).toBe("order")
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  describe("whose PAID the gateway's reads do not show yet", () => {
    it("waits after the notification and the payer's return, and is captured once by a later tick", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      const id = session.data.payment_request_id
      await store.gateway.pay(id, { visible: false })
      await store.gateway.notify(id, { status: "PAID" })
      const { data } = await shopper.complete(cartId)
      expect([data.type, data.error?.type]).toEqual(["cart", "payment_requires_more_error"])
      await settleAs({})
      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)

      await store.gateway.reveal(id)
      await settleAs({})
      await settleAs({})
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is told as being processed, and neither withdrawn nor replaced while it is looked for", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      const id = session.data.payment_request_id
      await store.gateway.pay(id, { visible: false })
      await store.gateway.notify(id, { status: "PAID" })
      const { data } = await shopper.statusOf(session.id, cartId)
      expect(data).toEqual({ status: "processing" })
      const again = await shopper.openSession(collectionId)
      expect([again.status, again.data.code]).toEqual([400, "already_paid"])
      const otherwise = await shopper.openSession(collectionId, undefined, "pp_system_default")
      expect(otherwise.status).not.toBe(200)
      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)

      // Also when the reads have denied it for a while: the payer must not pay again.
      await settleAs({ notified_at: ago(MINUTE_MS) })
      expect((await shopper.openSession(collectionId)).status).toBe(400)
      const polled = await shopper.statusOf(session.id, cartId)
      expect(polled.data).toEqual({ status: "processing" })
    })

    const saysPaid: [string, (id: string) => Promise<unknown>][] = [
      ["a notification", async (id) => await store.gateway.notify(id, { status: "PAID" })],
      [
        "the gateway's list",
        async (id) => {
          await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
          await store.gateway.bendRecord(id, { fields: { payment_status: "PAID" } })
          await reconcileGatewayList(store.container, { provider_id: "pp_crypto_default" })
          await store.untilQuiet()
          await store.gateway.bendRecord(id)
          await store.gateway.recover()
        },
      ],
    ]
    it.each(saysPaid)(
      "is a case after an hour when %s says PAID, until a read says so too",
      async (_, say) => {
        const shopper = store.shopper()
        const { cartId, collectionId, session } = await shopper.checkout()
        const id = session.data.payment_request_id
        await say(id)
        await settleAs({ notified_at: ago(HOUR_MS - MINUTE_MS) })
        expect((await ledgerRow(store, session.id)).attention_reason).toBeNull()
        await settleAs({ notified_at: ago(HOUR_MS) })
        expect(await ledgerRow(store, session.id)).toMatchObject({
          state: "open",
          attention_reason: "gateway_unclear",
        })
        const polled = await shopper.statusOf(session.id, cartId)
        expect(polled.data).toEqual({ status: "processing" })
        expect((await shopper.openSession(collectionId)).status).toBe(400)
        await store.gateway.pay(id)
        await settleAs({})
        expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      }
    )

    it("is a case that the merchant closes when nothing was paid: then the shopper can pay", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      const id = session.data.payment_request_id
      await store.gateway.notify(id, { status: "PAID" })
      await settleAs({ notified_at: ago(HOUR_MS) })
      const { id: rowId } = await ledgerRow(store, session.id)
      const path = `/crypto-payments/${rowId}/resolve`
      expect((await store.asAdmin.post(path, { note: "Nothing was paid." })).status).toBe(200)
      await settleAs({})
      expect((await shopper.openSession(collectionId)).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toMatchObject({ orders: 0, captures: [] })
    })

    it("is a case again when the list says PAID for the first time after that, and not when it repeats itself", async () => {
      const { session } = await store.shopper().checkout()
      const id = session.data.payment_request_id
      const resolve = async (): Promise<void> => {
        const row = await ledgerRow(store, session.id)
        await store.asAdmin.post(`/crypto-payments/${row.id}/resolve`, { note: "Nothing was paid." })
      }
      const openCase = async (): Promise<unknown> => {
        const anHourAgo = (column: string) => store.knex.raw(`${column} - interval '1 hour'`)
        await settleAs({ notified_at: anHourAgo("notified_at"), denied_at: anHourAgo("denied_at") })
        const { attention_reason, attention_resolved_at } = await ledgerRow(store, session.id)
        return attention_resolved_at === null ? attention_reason : null
      }
      const listPaid = saysPaid[1]?.[1]
      await store.gateway.notify(id, { status: "PAID" })
      expect(await openCase()).toBe("gateway_unclear")
      await resolve()
      await listPaid?.(id)
      expect(await openCase()).toBe("gateway_unclear")
      await resolve()
      await listPaid?.(id)
      expect(await openCase()).toBeNull()
    })

    it("keeps the shopper from another link also when it was said of a former one for the same", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await shopper.post(`/carts/${cartId}`, { email: "corrected@example.test" })
      const { data } = await shopper.openSession(collectionId)
      const second = readSession(data)
      expect(second.data.payment_request_id).not.toBe(session.data.payment_request_id)
      await store.gateway.notify(session.data.payment_request_id, { status: "PAID" })
      await settleAs({})
      expect((await shopper.statusOf(second.id, cartId)).data).toEqual({ status: "processing" })
      const again = await shopper.openSession(collectionId)
      expect([again.status, again.data.code]).toEqual([400, "already_paid"])
      await settleAs({ notified_at: ago(HOUR_MS) })
      const { id } = await ledgerRow(store, session.id)
      await store.asAdmin.post(`/crypto-payments/${id}/resolve`, { note: "Nothing was paid." })
      expect((await shopper.openSession(collectionId)).status).toBe(200)
      expect(await store.gateway.payments()).toHaveLength(2)
    })

    it("is not waited for any more once an admin user has closed the case", async () => {
      const shopper = store.shopper()
      const { collectionId, session } = await shopper.checkout()
      await store.gateway.notify(session.data.payment_request_id, { status: "PAID" })
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      await settleAs({ notified_at: ago(HOUR_MS), denied_at: new Date() })
      const otherwise = await shopper.openSession(collectionId, undefined, "pp_system_default")
      expect(otherwise.status).toBe(200)
    })

    it.each([
      ["cannot be read", 503, null],
      ["does not know the payment", 404, "gateway_refuses"],
    ])("is told as being processed for as long as the gateway %s", async (_, status, attention_reason) => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      const id = session.data.payment_request_id
      await settleAs({})
      await store.gateway.fail({ endpoint: "read", kind: "status", status })
      await store.gateway.pay(id)
      await store.gateway.notify(id, { status: "PAID" })
      await settleAs({ notified_at: ago(HOUR_MS) })
      await settleAs({ failing_since: ago(HOUR_MS) })
      expect(await ledgerRow(store, session.id)).toMatchObject({ state: "open", attention_reason })
      const { data } = await shopper.statusOf(session.id, cartId)
      expect(data).toEqual({ status: "processing" })
      expect((await shopper.openSession(collectionId)).status).not.toBe(200)
      const otherwise = await shopper.openSession(collectionId, undefined, "pp_system_default")
      expect(otherwise.status).not.toBe(200)

      await store.gateway.recover()
      await settleAs({})
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("is asked about again within a minute, however old the request is", async () => {
      const checkout = await store.shopper().checkout()
      const { session } = checkout
      await store.knex("payment_session").update({ created_at: ago(3 * DAY_MS) })
      await settleAs({ created_at: ago(3 * DAY_MS) })
      expect(await nextCheckInMs(checkout)).toBeGreaterThan(HOUR_MS)

      await store.gateway.pay(session.data.payment_request_id, { visible: false })
      await store.gateway.notify(session.data.payment_request_id, { status: "PAID" })
      await settleDue(store)
      expect(await nextCheckInMs(checkout)).toBeLessThanOrEqual(MINUTE_MS)
    })
  })
})
