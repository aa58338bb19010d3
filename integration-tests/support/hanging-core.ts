import { Modules } from "@medusajs/framework/utils"
import type { HeldTimers } from "./held-timers"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** How long the plugin waits for core, as it names it. */
export const CORE_PATIENCE_MS = 45_000

/** Holds a row that core has to write, as a database whose connection is lost does, until it is released. */
export async function holdRow({ knex }: StoreUnderTest, table: string, id: string) {
  const transaction = await knex.transaction()
  await transaction(table).where({ id }).forUpdate().select("id")
  return async (): Promise<void> => {
    await transaction.rollback()
  }
}

/** Whether a statement waits for a row that another one holds. */
export async function isHanging({ knex }: StoreUnderTest): Promise<boolean> {
  const waiting = knex("pg_stat_activity")
    .whereRaw("datname = current_database() AND wait_event_type = 'Lock'")
    .select("pid")
  return (await waiting).length > 0
}

/** Core hangs under the lock and is given up, whoever takes the lock then. */
export async function untilLockIsGivenUp(store: StoreUnderTest, key: string, patience: HeldTimers) {
  const locking = store.container.resolve(Modules.LOCKING)
  await waitUntil(
    async () => await isHanging(store),
    (hangs) => hangs
  )
  await waitUntil(
    async () => {
      patience.fire(CORE_PATIENCE_MS)
      return await locking
        .execute(key, async () => await Promise.resolve(true), { timeout: 1 })
        .catch(() => false)
    },
    (isFree) => isFree,
    20_000
  )
}
