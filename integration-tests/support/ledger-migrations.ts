import { readdirSync } from "node:fs"
import path from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { StoreUnderTest } from "./store-under-test"

const FOLDER = path.resolve(__dirname, "../../.medusa/server/src/modules/crypto-payments/migrations")

interface MigrationLike {
  up(): Promise<void>
  down(): Promise<void>
  getQueries(): { toString(): string }[]
}

/** The ledger's migrations in their order, as file names. */
export const LEDGER_MIGRATIONS = readdirSync(FOLDER)
  .filter((file) => /^Migration\d+\.js$/.test(file))
  .sort()

/** Runs migrations on a connection, in its schema. */
export async function migrate(
  trx: Knex,
  files: readonly string[],
  direction: "up" | "down" = "up"
): Promise<void> {
  for (const file of files) {
    const exported = (await import(path.join(FOLDER, file))) as Record<string, unknown>
    const Migration = Object.values(exported).find(
      (value) => typeof value === "function"
    ) as new () => MigrationLike
    const migration = new Migration()
    await migration[direction]()
    for (const query of migration.getQueries()) {
      await trx.raw(query.toString())
    }
  }
}

/** Does `work` in an empty schema of its own, and leaves nothing behind. */
export async function inEmptySchema(
  store: StoreUnderTest,
  work: (trx: Knex) => Promise<void>
): Promise<void> {
  const trx = await store.knex.transaction()
  try {
    await trx.raw("CREATE SCHEMA upgrade")
    await trx.raw("SET LOCAL search_path TO upgrade")
    await work(trx)
  } finally {
    await trx.rollback()
  }
}
