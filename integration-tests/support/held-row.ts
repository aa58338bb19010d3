import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

const held = new Set<Knex.Transaction>()

/** Holds a row that core has to write, as a database whose connection is lost does. @returns what lets it go */
export async function holdRow(
  { knex }: StoreUnderTest,
  table: string,
  id: string,
  lock: "forUpdate" | "forNoKeyUpdate" = "forUpdate"
) {
  const transaction = await knex.transaction()
  held.add(transaction)
  await transaction(table).where({ id })[lock]().select("id")
  return async (): Promise<void> => {
    held.delete(transaction)
    await transaction.rollback()
  }
}

/** A test that failed still holds its rows: whatever waits for them would never end. */
export async function releaseHeldRows(): Promise<void> {
  const left = [...held]
  held.clear()
  await Promise.all(left.map(async (transaction) => await transaction.rollback()))
}

/**
 * Holds an order, but not the rows that refer to it: a change of the order that is confirmed meanwhile has read
 * everything and cannot write.
 */
export const holdOrder = async (store: StoreUnderTest, orderId: string) =>
  await holdRow(store, "order", orderId, "forNoKeyUpdate")

/** How many statements wait for a row that another one holds. */
export async function countBlocked({ knex }: StoreUnderTest): Promise<number> {
  const blocked = knex("pg_stat_activity").whereRaw(
    "datname = current_database() AND wait_event_type = 'Lock'"
  )
  return (await blocked.select("pid")).length
}

export async function untilBlocked(store: StoreUnderTest, count = 1): Promise<void> {
  await waitUntil(
    () => countBlocked(store),
    (blocked) => blocked >= count
  )
}
