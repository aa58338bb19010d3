import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** Runs the schedule until nothing is due. The store under test does so by itself on the minute, and may hold a row. */
export async function settleDue(store: StoreUnderTest): Promise<void> {
  await store.runSchedule()
  await nothingIsDue(store)
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
