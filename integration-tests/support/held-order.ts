import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

interface HeldOrder {
  /** Waits until so many writes wait for the order. */
  untilBlocked: (count: number) => Promise<void>
  release: () => Promise<void>
}

/** Locks the row of an order: a change of the order that is confirmed meanwhile has read everything and cannot write. */
export async function holdOrder({ knex }: StoreUnderTest, orderId: string): Promise<HeldOrder> {
  const held = await knex.transaction()
  await held.raw(`SELECT 1 FROM "order" WHERE id = ? FOR NO KEY UPDATE`, [orderId])
  return {
    untilBlocked: async (count) => {
      await waitUntil(
        async () =>
          await knex("pg_stat_activity")
            .whereRaw("datname = current_database() AND wait_event_type = 'Lock'")
            .select("pid"),
        (waiting) => waiting.length >= count
      )
    },
    release: async () => {
      await held.commit()
    },
  }
}
