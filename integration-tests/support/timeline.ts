import type { StoreUnderTest } from "./store-under-test"

export interface TimelineEntry {
  type: string
  detail: Record<string, string | null>
}

/** What the ledger wrote down about one payment request, in order. */
export async function readTimeline(store: StoreUnderTest, requestId: string): Promise<TimelineEntry[]> {
  return await store
    .knex("crypto_payment_activity")
    .where({ request_id: requestId })
    .orderBy("position")
    .select("type", "detail")
}
