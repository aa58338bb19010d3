import { PAID_OK, readEndState } from "../../support/end-state"
import { CORE_PATIENCE_MS, untilLockIsGivenUp } from "../../support/hanging-core"
import { countBlocked, holdRow, untilBlocked } from "../../support/held-row"
import { HeldTimers } from "../../support/held-timers"
import { endOf, ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { payWithoutOrder } from "../../support/refused-orders"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** How long the refund step waits for core, and the job for a sweep, as they name it. */
const REFUND_PATIENCE_MS = 70_000
const SWEEP_PATIENCE_MS = 30_000

describeStore("core that hangs", (store) => {
  let patience: HeldTimers
  let retries: HeldTimers
  beforeEach(() => {
    patience = new HeldTimers("modules/crypto-payments/waiting")
    retries = new HeldTimers("workflows/settle-worker")
  })
  afterEach(() => {
    patience.end()
    retries.end()
  })

  /** Work that hangs is given up again and again, until what waits for it has ended. */
  async function giveUpUntilOver<T>(work: Promise<T>, patienceMs: number): Promise<T> {
    await untilBlocked(store)
    return await patience.fireUntilOver(work, patienceMs)
  }

  it("over a refund is given up, and the same registration finishes it once", async () => {
    const { cartId, id, paymentId } = await placePaidOrder(store)
    const admin = await store.admin()
    const register = async (): Promise<{ status: number; data: { message?: string } }> =>
      await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        { amount: "20.01", reference: "0xabc" },
        admin
      )
    const letGo = await holdRow(store, "payment", paymentId)
    const first = await giveUpUntilOver(register(), REFUND_PATIENCE_MS)
    const lease = await store.knex("crypto_payment_request").where({ id }).first("lease_until")
    const before = await readEndState(store.knex, cartId)
    await letGo()
    // What hung goes on now, late, while the merchant tries again: whichever is first books it, and only that one.
    const during = await register()
    await waitUntil(
      async () => await store.knex("order_credit_line").select("id"),
      ({ length }) => length === 1
    )
    await store.knex("refund").update({ created_at: store.knex.raw("now() - interval '2 minutes'") })
    const last = await waitUntil(register, ({ status }) => status === 200)

    expect([first.status, first.data.message]).toEqual([
      500,
      "The refund is registered, but Medusa did not book it. Register it again with the same reference.",
    ])
    expect([lease, before.refunds]).toEqual([{ lease_until: null }, []])
    expect([[200, 400], 200]).toEqual([expect.arrayContaining([during.status]), last.status])
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01"],
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
    expect(await store.knex("order_credit_line").count()).toEqual([{ count: "1" }])
  })

  it("over one payment keeps the schedule from no other, opens a case, and pays once when it goes on", async () => {
    const hanging = await store.shopper().checkout()
    const other = await store.shopper().checkout()
    for (const { session } of [hanging, other]) {
      await store.gateway.pay(session.data.payment_request_id)
    }
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    const letGo = await holdRow(store, "payment_session", hanging.session.id)
    const run = store.runSchedule()
    expect(await endOf(store, other.cartId)).toEqual(PAID_OK)
    await giveUpUntilOver(run, CORE_PATIENCE_MS)
    const meanwhile = await readEndState(store.knex, hanging.cartId)
    const threeMinutesAgo = store.knex.raw("now() - interval '3 minutes'")
    await store
      .knex("crypto_payment_request")
      .where({ session_id: hanging.session.id })
      .update({
        paid_at: threeMinutesAgo,
        next_check_at: new Date(0),
      })
    await giveUpUntilOver(store.runSchedule(), CORE_PATIENCE_MS)
    const later = await ledgerRow(store, hanging.session.id)
    await letGo()
    // Both tries that hung go on now, during the schedule.
    await waitUntil(
      async () => {
        await store
          .knex("crypto_payment_request")
          .whereNull("settled_at")
          .update({ next_check_at: new Date(0) })
        await store.runSchedule()
        return await readEndState(store.knex, hanging.cartId)
      },
      ({ ledger }) => ledger[0]?.settled === true
    )

    expect(meanwhile.captures).toEqual([])
    expect(later.attention_reason).toBe("paid_without_order")
    expect(await readEndState(store.knex, hanging.cartId)).toEqual(PAID_OK)
    expect(await ledgerRow(store, hanging.session.id)).toMatchObject({ lease_until: null })
  })

  it("over a paid cart whose order is placed later keeps no other cart from its order", async () => {
    const hanging = await payWithoutOrder(store)
    const other = await payWithoutOrder(store)
    const letGo = await holdRow(store, "payment_collection", hanging.collectionId)
    const due = store.knex("crypto_payment_request").whereNull("settled_at")
    await due
      .clone()
      .where({ cart_id: hanging.cartId })
      .update({ next_check_at: new Date(0) })
    const run = store.runSchedule()
    await untilLockIsGivenUp(store, "crypto:place-order", patience)
    await due
      .clone()
      .where({ cart_id: other.cartId })
      .update({ next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await readEndState(store.knex, other.cartId)).toEqual(PAID_OK)
    await letGo()
    await patience.fireUntilOver(run, CORE_PATIENCE_MS)
    await due.update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readEndState(store.knex, hanging.cartId)).toEqual(PAID_OK)
  })

  it("or a database that hangs in a sweep keeps neither due rows nor the next run of the schedule waiting", async () => {
    const { id } = await placePaidOrder(store)
    await nothingIsDue(store)
    await store.knex("crypto_payment_request").update({
      announcements: JSON.stringify([{ event: "settled", event_id: "late" }]),
      announce_at: new Date(0),
    })
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store
      .knex("crypto_payment_request")
      .where({ session_id: session.id })
      .update({ next_check_at: new Date(0) })
    const letGo = await holdRow(store, "crypto_payment_request", id)
    const run = store.runSchedule()
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
    await giveUpUntilOver(run, SWEEP_PATIENCE_MS)
    expect(await countBlocked(store)).toBeGreaterThan(0)
    await letGo()
    const sent = await waitUntil(
      async () => await store.knex("crypto_payment_request").where({ id }).first("announcements"),
      ({ announcements }) => announcements === null
    )
    expect(sent).toEqual({ announcements: null })
  })
})
