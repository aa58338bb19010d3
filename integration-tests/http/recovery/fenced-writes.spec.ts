import type { AxiosResponse } from "axios"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type { DueRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/queue"
import type { PaymentRequest } from "../../../.medusa/server/src/gateway"
import { addActivity } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/life-cycle"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const DAY_MS = 24 * 60 * 60_000

describeStore("what a settle writes", (store) => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const row = async (): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow
  const settle = async (id: string): Promise<AxiosResponse> =>
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())

  afterEach(() => {
    jest.restoreAllMocks()
  })

  it("changes nothing once another settle has taken the row over", async () => {
    const { session } = await store.shopper().checkout()
    const { id } = await ledgerRow(store, session.id)
    const { cases, leases, requests } = ledger()
    const late = (await leases.lease(id)) as LeasedRow
    const read = await ledger().gateways.readRecord(id)
    await store.knex("crypto_payment_request").update({ lease_until: new Date(0) })
    const taken = (await leases.lease(id)) as LeasedRow
    expect(taken.lease_id).not.toBe(late.lease_id)
    const before = await row()
    const paid = { ...read.record, paymentStatus: "PAID", paymentStatusReceived: "PAID" } as never
    const outcome = {
      cause: "given_up",
      orderId: "order_late",
      capturedAt: new Date(),
      settledAt: new Date(),
      attention: "orphan_paid",
      nextCheckAt: null,
    } as const

    const writes: [string, () => Promise<unknown>][] = [
      ["a reading", async () => await requests.recordReading(id, paid, late)],
      ["a failure", async () => await requests.recordFailure(id, "refused", late)],
      ["an outcome", async () => await requests.finish(late, late, outcome)],
    ]
    for (const [what, write] of writes) {
      expect([what, await write().catch((error: Error) => error.name)]).toEqual([what, "LeaseLost"])
    }
    expect(await cases.open(id, "paid_without_order", {}, late)).toBeUndefined()
    expect(await leases.extend(late)).toBe(false)
    await leases.release(late)
    await leases.releaseFailed(late)
    expect(await row()).toEqual(before)
    expect(await store.knex("crypto_payment_activity").whereNot({ type: "created" }).select()).toEqual([])
  })

  it("of a batch leaves alone what anybody has written since it was leased", async () => {
    const { session } = await store.shopper().checkout()
    const { id } = await ledgerRow(store, session.id)
    const { leases, queue, requests, gateways } = ledger()
    const { record } = await gateways.readRecord(id)
    const places = { asked: 0, scheduled: 0, routine: 1 }
    const finish = async (): Promise<string[]> => {
      await store.knex("crypto_payment_request").update({
        ...{ gateway_status: "UNPAID", check_trigger: null, settles_begun: 0 },
        ...{ next_check_at: new Date(0), lease_until: null },
      })
      const [lease] = await queue.leaseDue(places)
      expect(lease).toMatchObject({ kind: "routine" })
      await write()
      const before = await row()
      const written = await requests.finishUnchanged([
        { lease: lease as DueRow, read: record as PaymentRequest, nextCheckAt: new Date() },
      ])
      expect((await row()).lease_id).toBe(written.length > 0 ? null : before.lease_id)
      return written
    }
    let write: () => Promise<unknown> = async () => await queue.requestCheck(id)
    expect(await finish()).toEqual([])
    write = async () => {
      await store.knex("crypto_payment_request").update({ lease_until: new Date(0) })
      return await leases.lease(id)
    }
    expect(await finish()).toEqual([])
    write = async () => await Promise.resolve()
    expect(await finish()).toEqual([id])
  })

  it("leaves a refund as it is that was registered while the settle ran, and opens no case", async () => {
    const { id } = await placePaidOrder(store)
    await waitUntil(row, ({ settled_at, lease_until }) => settled_at !== null && lease_until === null)
    const { leases, requests } = ledger()
    const lease = (await leases.lease(id)) as LeasedRow
    // As a registration does that ends after its lease.
    const refunded = { state: "refunded", next_check_at: null } as const
    await store.knex("crypto_payment_request").update(refunded)
    const ended = await requests.finish(lease, lease, {
      cause: "captured",
      orderId: lease.order_id,
      capturedAt: new Date(),
      settledAt: null,
      attention: "paid_without_order",
      nextCheckAt: new Date(),
    })
    expect(ended).toMatchObject({ ...refunded, attention_reason: null, lease_id: null })
    expect(await row()).toEqual(ended)
    store.leavesDamage("nothing was sent back")
  })

  it("is told in the order in which it was written, also of one transaction and one moment", async () => {
    const { session } = await store.shopper().checkout()
    const { id } = await ledgerRow(store, session.id)
    await store.knex("crypto_payment_activity").delete()
    await store.knex.transaction(async (trx) => {
      for (let n = 0; n < 20; n++) {
        await addActivity(trx, id, "checked", { n: String(n) })
      }
    })
    // The clock cannot tell them apart, and their ids are made the other way round.
    await store.knex.raw(
      `UPDATE crypto_payment_activity SET created_at = now(), id = 'cpact_' || lpad((100 - (detail ->> 'n')::int)::text, 3, '0')`
    )
    const { data } = await store.http.get(`/admin/crypto-payments/${id}`, await store.admin())
    const told = (data.crypto_payment.activities as { detail: { n: string } }[]).map(({ detail }) => detail.n)
    expect(told).toEqual(Array.from({ length: 20 }, (_, n) => String(n)))
  })

  it("keeps the sooner check of a link that its payer opens again meanwhile", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const { id } = await ledgerRow(store, session.id)
    await shopper.post(`/carts/${cartId}`, { email: "guest@example.test" })
    const old = new Date(Date.now() - 3 * DAY_MS)
    await store.knex("payment_session").update({ created_at: old })
    await store.knex("crypto_payment_request").update({
      created_at: old,
      state: "superseded",
      last_checked_at: new Date(),
      next_check_at: new Date(0),
    })
    const readFacts = ledger().facts.read.bind(ledger().facts)
    const bound: string[] = []
    jest.spyOn(ledger().facts, "read").mockImplementationOnce(async (requestId) => {
      const facts = await readFacts(requestId)
      bound.push(readSession((await shopper.openSession(collectionId)).data).id)
      return facts
    })
    await settleDue(store)

    const now = await row()
    expect([now.id, now.session_id, now.state]).toEqual([id, bound[0], "open"])
    const dueInMs = (now.next_check_at?.getTime() ?? Infinity) - Date.now()
    expect(dueInMs).toBeLessThanOrEqual(60_000)
  })

  it("does not give up a link that its payer opens again meanwhile", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const { id } = await ledgerRow(store, session.id)
    await shopper.post(`/carts/${cartId}`, { email: "guest@example.test" })
    const { requests, leases } = ledger()
    await store.knex("crypto_payment_request").update({ state: "superseded" })
    const decidedOn = (await leases.lease(id)) as LeasedRow
    const bound = readSession((await shopper.openSession(collectionId)).data).id
    const outcome = {
      cause: "given_up",
      orderId: null,
      capturedAt: null,
      settledAt: null,
      nextCheckAt: null,
    } as const
    await requests.finish(decidedOn, decidedOn, outcome)
    expect(await row()).toMatchObject({ session_id: bound, state: "open", lease_id: null })
  })

  it("does not overlook that the order was cancelled while it was about to end", async () => {
    const { id, orderId } = await placePaidOrder(store)
    await waitUntil(row, ({ lease_until, settled_at }) => lease_until === null && settled_at !== null)
    const { requests, queue } = ledger()
    const finish = requests.finish.bind(requests)
    jest.spyOn(requests, "finish").mockImplementationOnce(async (...outcome) => {
      await store.knex("order").where({ id: orderId }).update({ canceled_at: new Date(), status: "canceled" })
      await queue.makeOrderDue(orderId, "canceled")
      return await finish(...outcome)
    })
    expect((await settle(id)).status).toBe(200)
    // The row is due again at once, and no tick is needed.
    await waitUntil(
      row,
      ({ attention_reason, lease_id }) => attention_reason === "paid_on_canceled" && lease_id === null
    )
  })
})
