import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** The select list of columns that a report answers or writes into a file. */
export const COLUMN_LIST = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(", ")

/**
 * Runs a statement that reads many rows and returns a few. Postgres' defaults do not fit: to compile it takes longer
 * than to run it, it would sort on disk, and it would read the whole table for the rows of a few refunds, because it
 * assumes that reading a row by key costs four times as much as reading the next row, as on a hard disk.
 */
export async function runReport<Row>(
  knex: Knex,
  sql: string,
  bindings: Record<string, Knex.RawBinding>
): Promise<Row[]> {
  return await knex.transaction(async (trx) => {
    await trx.raw(
      "SELECT set_config('jit', 'off', true), set_config('work_mem', '32MB', true), set_config('random_page_cost', '1.1', true)"
    )
    const { rows } = await trx.raw<{ rows: Row[] }>(sql, bindings)
    return rows
  })
}
