import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** What belongs to one order. */
export interface Scope {
  rowIds: string[]
  collectionIds: string[]
  orderIds: string[]
}

/** Times that something is decided by. All of a row's times move together. */
const DATED: { table: string; columns: string[] | "all"; rows: string }[] = [
  { table: "crypto_payment_request", columns: "all", rows: "t.id = ANY (:rowIds)" },
  { table: "crypto_payment_refund", columns: "all", rows: "t.request_id = ANY (:rowIds)" },
  {
    table: "payment_session",
    columns: ["created_at"],
    rows: "t.payment_collection_id = ANY (:collectionIds)",
  },
  ...["capture", "refund"].map((table) => ({
    table,
    columns: ["created_at"],
    rows: "t.payment_id IN (SELECT id FROM payment WHERE payment_collection_id = ANY (:collectionIds))",
  })),
  { table: "order", columns: ["created_at"], rows: "t.id = ANY (:orderIds)" },
  { table: "order_change", columns: ["created_at", "confirmed_at"], rows: "t.order_id = ANY (:orderIds)" },
]

/** Makes everything that the database holds of an order so many minutes older, as if that time had passed. */
export async function letMinutesPass(knex: Knex, scope: Scope, minutes: number): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const { table, columns, rows } of DATED) {
      const names = columns === "all" ? await readTimeColumns(trx, table) : columns
      const earlier = names.map((name) => `${name} = ${name} - :minutes * interval '1 minute'`)
      await trx.raw(`UPDATE "${table}" t SET ${earlier.join(", ")} WHERE ${rows}`, { ...scope, minutes })
    }
  })
}

async function readTimeColumns(knex: Knex, table: string): Promise<string[]> {
  return await knex("information_schema.columns")
    .where({ table_schema: "public", table_name: table, data_type: "timestamp with time zone" })
    .pluck<string[]>("column_name")
}
