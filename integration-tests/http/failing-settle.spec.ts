import type { CryptoPaymentRequestRow } from "../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { runAudit, shortFindings } from "../support/audit"
import { PAID_OK, readEndState } from "../support/end-state"
import { hear } from "../support/heard-events"
import { HeldTimers } from "../support/held-timers"
import { payAndNotify } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { describeStore, type StoreUnderTest } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const suite = (store: StoreUnderTest): void => {
  const row = async (): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow

  // Only the schedule that the test runs settles.
  let retries: HeldTimers
  beforeEach(() => {
    retries = new HeldTimers("workflows/settle-queue")
  })
  afterEach(() => {
    retries.end()
    jest.restoreAllMocks()
  })

  /** Something in the database that no query can read: PAID is recorded, and no decision can be made. */
  async function payUnreadably(): Promise<{ cartId: string }> {
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    jest.spyOn(ledger.facts, "read").mockRejectedValue(new Error("invalid input syntax for type numeric"))
    const { cartId, session } = await store.shopper().checkout()
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(row, ({ failing_since, lease_id }) => failing_since !== null && lease_id === null)
    return { cartId }
  }
  const age = async (failing: string, dueIn = "-1 second"): Promise<void> => {
    await store.knex("crypto_payment_request").update({
      failing_since: store.knex.raw("now() - ?::interval", [failing]),
      next_check_at: store.knex.raw("now() + ?::interval", [dueIn]),
    })
  }

  it("is told after ten minutes, once, and the case is over when a settle succeeds", async () => {
    const heard = hear(store, "crypto_payment.attention_required")
    const { cartId } = await payUnreadably()
    await age("9 minutes")
    await store.runSchedule()
    expect(await row()).toMatchObject({ state: "paid", attention_reason: null })

    for (let run = 0; run < 2; run++) {
      await age("10 minutes")
      await store.runSchedule()
      expect(await row()).toMatchObject({ state: "paid", attention_reason: "paid_without_order" })
    }
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    expect(heard).toEqual([expect.objectContaining({ reason: "paid_without_order" })])

    jest.restoreAllMocks()
    await age("1 hour")
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await row()).toMatchObject({ attention_reason: null, failing_since: null })
  })

  it("is told as a gateway that refuses when its stored id is none that can be asked for", async () => {
    await store.shopper().checkout()
    await store
      .knex("crypto_payment_request")
      .update({ payment_request_id: "a/b", next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await row()).toMatchObject({ failure: "refused", attention_reason: null, lease_id: null })
    await age("1 hour")
    await store.runSchedule()
    expect(await row()).toMatchObject({ failure: "refused", attention_reason: "gateway_refuses" })
  })

  it("is a finding of the audit after an hour when no case tells of it, though it is due all the time", async () => {
    await payUnreadably()
    const { id } = await row()
    await age("59 minutes", "1 minute")
    expect(shortFindings(await runAudit(store))).toEqual([])
    await age("1 hour", "1 minute")
    expect(shortFindings(await runAudit(store))).toEqual([["paid_without_capture", id]])
    jest.restoreAllMocks()
    await age("1 hour")
    await settleDue(store)
  })
}

describeStore("a payment whose settles fail again and again", suite)
