import type { StoreUnderTest } from "./store-under-test"

/** What the ledger wrote down about one payment request, in order. */
export async function readTimeline({ knex }: StoreUnderTest, requestId: string) {
  return await knex("crypto_payment_activity")
    .where({ request_id: requestId })
    .orderBy("position")
    .select<{ type: string; detail: Record<string, string | null> }[]>("type", "detail")
}
