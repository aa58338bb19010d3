import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** Runs the schedule until nothing is due. The store under test does so by itself on the minute, and may hold a row. */
export async function settleDue(store: StoreUnderTest): Promise<void> {
  await store.runSchedule()
  await nothingIsDue(store)
}

/** Waits until the gateway was read since the request was last notified, and what followed from that read is over. */
export async function readSinceNotified(
  { knex }: Pick<StoreUnderTest, "knex">,
  paymentRequestId: string
): Promise<void> {
  await waitUntil(
    async () =>
      await knex("crypto_payment_request")
        .where({ payment_request_id: paymentRequestId })
        .first("last_webhook_at", "last_checked_at", "lease_until"),
    ({ last_webhook_at, last_checked_at, lease_until }) =>
      lease_until === null && last_webhook_at !== null && last_checked_at >= last_webhook_at
  )
}

/** Waits until no row is due or being settled. */
export async function nothingIsDue(store: StoreUnderTest): Promise<void> {
  await waitUntil(
    async () =>
      await store
        .knex("crypto_payment_request")
        .whereRaw("next_check_at <= now() OR lease_until IS NOT NULL")
        .select("id"),
    (rows) => rows.length === 0
  )
}
