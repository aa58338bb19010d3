import { readFileSync } from "node:fs"

import { query } from "../../integration-tests/support/postgres.mjs"

/** @type {Record<string, string[]>} every table and column of core's that the ledger's SQL names */
const COLUMNS = JSON.parse(
  readFileSync(new URL("../../integration-tests/support/core-columns.json", import.meta.url), "utf8")
)

/**
 * Refuses a Medusa whose database does not have all that our SQL names.
 *
 * @param {string} databaseUrl of a migrated store
 */
export async function requireColumns(databaseUrl) {
  const { rows } = await query(
    databaseUrl,
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'"
  )
  const there = new Set(rows.map(({ name }) => name))
  const named = Object.entries(COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`)
  )
  const missing = named.filter((name) => !there.has(name))
  if (missing.length > 0) {
    throw new Error(`Our SQL names what this Medusa does not have:\n  ${missing.join("\n  ")}`)
  }
}
