import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { runAudit, shortFindings } from "../../support/audit"
import { PAID_OK, readEndState } from "../../support/end-state"
import { hear } from "../../support/heard-events"
import { HeldTimers } from "../../support/held-timers"
import { payAndNotify } from "../../support/paid-checkout"
import { refuseOrders } from "../../support/refused-orders"
import { settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const suite = (store: StoreUnderTest): void => {
  const row = async (): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow

  // Only the schedule that the test runs settles.
  let retries: HeldTimers
  beforeEach(() => {
    retries = new HeldTimers("workflows/settle-worker")
  })
  afterEach(() => {
    retries.end()
    jest.restoreAllMocks()
  })

  const ledger = () => store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
  const facts = () => ledger().facts
  /** Something in the database that no query can read: PAID is recorded, and no decision can be made. */
  async function payUnreadably(): Promise<PreparedCheckout> {
    const read = jest.spyOn(facts(), "read").mockRejectedValue(new Error("invalid input syntax"))
    const checkout = await store.shopper().checkout()
    await payAndNotify(store, checkout.session.data.payment_request_id)
    await waitUntil(row, ({ settles_begun, lease_id }) => settles_begun > 0 && lease_id === null)
    expect(read).toHaveBeenCalled()
    return checkout
  }
  const change = async (values: Record<string, unknown>): Promise<void> => {
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0), ...values })
  }

  /** Opened after ten settles, and closed by an admin user. From then on, a settle can read everything. */
  async function closedCase(note: string): Promise<{ id: string; cartId: string }> {
    const { cartId } = await payUnreadably()
    const { id } = await row()
    await change({ settles_begun: 10 })
    await store.runSchedule()
    expect((await store.asAdmin.post(`/crypto-payments/${id}/resolve`, { note })).status).toBe(200)
    jest.restoreAllMocks()
    return { id, cartId }
  }

  it("has a case after ten, which is told once and over when a settle ends", async () => {
    const heard = hear(store, "crypto_payment.attention_required")
    const { cartId } = await payUnreadably()
    await change({ settles_begun: 9 })
    await store.runSchedule()
    expect(await row()).toMatchObject({ state: "paid", settles_begun: 10, attention_reason: null })

    for (let run = 0; run < 2; run++) {
      await change({})
      await store.runSchedule()
      expect(await row()).toMatchObject({ state: "paid", attention_reason: "settle_fails" })
    }
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    expect(heard).toEqual([expect.objectContaining({ reason: "settle_fails" })])

    jest.restoreAllMocks()
    await change({})
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await row()).toMatchObject({ attention_reason: null, settles_begun: 0 })
  })

  it("places no order by itself once an admin user has closed the case, and one when they ask for it", async () => {
    const { id, cartId } = await closedCase("sent back by hand")
    for (let settle = 0; settle < 2; settle++) {
      await change({ paid_at: store.knex.raw("now() - interval '10 minutes'") })
      await store.runSchedule()
    }
    const completed = await store.shopper().complete(cartId)
    expect([completed.status, completed.data.type]).toEqual([400, "not_allowed"])
    expect(await readEndState(store.knex, cartId)).toMatchObject({ orders: 0, captures: [] })
    expect(await row()).toMatchObject({
      attention_reason: "settle_fails",
      attention_note: "sent back by hand",
    })

    expect((await store.asAdmin.post(`/crypto-payments/${id}/settle`, {})).status).toBe(200)
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("has a case again when the check that an admin user asks for places no order either", async () => {
    const { id, cartId } = await closedCase("looked into")
    const allowOrders = await refuseOrders(store)
    await change({ paid_at: store.knex.raw("now() - interval '10 minutes'") })
    await store.asAdmin.post(`/crypto-payments/${id}/settle`, {})
    const open = { attention_reason: "paid_without_order", attention_resolved_at: null }
    expect(await row()).toMatchObject({ state: "captured", ...open })

    await allowOrders()
    await change({})
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("has the case as well when it fails at what it does before core, and not the one that advises to restock", async () => {
    jest.spyOn(ledger().completions, "begin").mockRejectedValue(new Error("no such column"))
    const { cartId, session } = await store.shopper().checkout()
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(row, ({ settles_begun, lease_id }) => settles_begun > 0 && lease_id === null)
    await change({ settles_begun: 10 })
    await store.runSchedule()
    expect(await row()).toMatchObject({ state: "paid", attention_reason: "settle_fails" })
    jest.restoreAllMocks()
    await change({})
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("waits longer from settle to settle, ten minutes at most", async () => {
    await payUnreadably()
    const waits = { 0: 5, 1: 10, 2: 20, 6: 320, 7: 600, 100: 600 }
    for (const [settles_begun, seconds] of Object.entries(waits)) {
      await change({ settles_begun })
      const before = await store.knex.raw<{ rows: [{ now: string }] }>("SELECT now()::text AS now")
      await store.runSchedule()
      const { rows } = await store.knex.raw<{ rows: unknown[] }>(
        `SELECT next_check_at - ? * interval '1 second' BETWEEN ?::timestamptz AND now() AS began_in_this_run
           FROM crypto_payment_request`,
        [seconds, before.rows[0].now]
      )
      expect([settles_begun, rows]).toEqual([settles_begun, [{ began_in_this_run: true }]])
    }
    jest.restoreAllMocks()
    await change({})
    await settleDue(store)
  })

  it("names what fails when the payment is checked, as a column that another version of Medusa has renamed", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex.raw("ALTER TABLE payment_collection RENAME COLUMN amount TO total")
    try {
      const { status, data } = await store.http.post(
        `/admin/crypto-payments/${(await row()).id}/settle`,
        {},
        await store.admin()
      )
      expect([status, data.message]).toEqual([500, expect.stringContaining("(42703)")])
    } finally {
      await store.knex.raw("ALTER TABLE payment_collection RENAME COLUMN total TO amount")
    }
    await change({})
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("has the case as well when its settles hang and never fail", async () => {
    const { cartId } = await payUnreadably()
    let fail: (error: Error) => void = () => undefined
    const hang = new Promise<never>((_, reject) => {
      fail = reject
    })
    const read = jest.spyOn(facts(), "read").mockReturnValue(hang)
    read.mockClear()
    await change({ settles_begun: 10 })
    const waits = new HeldTimers("crypto-payments/waiting")
    try {
      await waits.fireUntilOver(store.runSchedule())
    } finally {
      waits.end()
    }
    expect(await row()).toMatchObject({ attention_reason: "settle_fails", lease_id: expect.any(String) })
    await waitUntil(
      async () => await Promise.resolve(read.mock.calls),
      ({ length }) => length > 0
    )
    fail(new Error("at last"))
    jest.restoreAllMocks()
    await waitUntil(row, ({ lease_id }) => lease_id === null)
    await change({})
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("is told as a gateway that refuses when its stored id is none that can be asked for", async () => {
    await store.shopper().checkout()
    await store
      .knex("crypto_payment_request")
      .update({ payment_request_id: "a/b", next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await row()).toMatchObject({ failure: "refused", attention_reason: null, lease_id: null })
    await change({ failing_since: store.knex.raw("now() - interval '1 hour'") })
    await store.runSchedule()
    expect(await row()).toMatchObject({ failure: "refused", attention_reason: "gateway_refuses" })
  })

  it.each([
    ["due all the time", { next_check_at: "now() + interval '1 minute'" }],
    ["held all the time", { lease_id: "'a settle that hangs'", lease_until: "now() + interval '1 minute'" }],
  ])(
    "is a finding of the audit after an hour when no case tells of it, though it is %s",
    async (_, columns) => {
      await payUnreadably()
      const { id } = await row()
      const paid = async (ago: string): Promise<void> => {
        const values = { ...columns, paid_at: `now() - interval '${ago}'` }
        await change(
          Object.fromEntries(Object.entries(values).map(([column, sql]) => [column, store.knex.raw(sql)]))
        )
      }
      await paid("59 minutes")
      expect(shortFindings(await runAudit(store))).toEqual([])
      await paid("1 hour")
      expect(shortFindings(await runAudit(store))).toEqual([["paid_without_capture", id]])
      jest.restoreAllMocks()
      await change({ lease_id: null, lease_until: null })
      await settleDue(store)
    }
  )
}

describeStore("a payment whose settles fail again and again", suite)
