import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Runs a statement that looks at many rows to give a few. Compiling such a one takes Postgres longer than running it,
 * and with its default memory it would sort on disk.
 */
export async function runReport<Row>(
  knex: Knex,
  sql: string,
  bindings: Record<string, string | null>
): Promise<Row[]> {
  return await knex.transaction(async (trx) => {
    await trx.raw("SELECT set_config('jit', 'off', true), set_config('work_mem', '32MB', true)")
    const { rows } = await trx.raw<{ rows: Row[] }>(sql, bindings as Record<string, Knex.RawBinding>)
    return rows
  })
}
