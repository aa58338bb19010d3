import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Runs a statement that looks at many rows to give a few. Compiling such a one takes Postgres longer than running it,
 * and with its default memory it would sort on disk. By default it also assumes that reading a row by its key costs
 * four times as much as reading the next row, as on a hard disk, and would read the whole ledger for the rows of a few
 * refunds.
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
