import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Checkout } from "./flow"
import type { Shop } from "./shop"

/** Times that something is decided by, with the rows of a checkout. All of a row's times move together. */
const DATED: { table: string; columns: string[] | "all"; rows: string }[] = [
  { table: "crypto_payment_request", columns: "all", rows: "t.cart_id = ANY (:cartIds)" },
  {
    table: "crypto_payment_refund",
    columns: "all",
    rows: "t.request_id IN (SELECT id FROM crypto_payment_request WHERE cart_id = ANY (:cartIds))",
  },
  {
    table: "payment_session",
    columns: ["created_at"],
    rows: `t.payment_collection_id IN
           (SELECT payment_collection_id FROM cart_payment_collection WHERE cart_id = ANY (:cartIds))`,
  },
  ...["capture", "refund"].map((table) => ({
    table,
    columns: ["created_at"],
    rows: `t.payment_id IN (SELECT p.id FROM payment p JOIN cart_payment_collection c USING (payment_collection_id)
                             WHERE c.cart_id = ANY (:cartIds))`,
  })),
  { table: "order", columns: ["created_at"], rows: "t.email = ANY (:emails)" },
  {
    table: "order_change",
    columns: ["created_at"],
    rows: `t.order_id IN (SELECT id FROM "order" WHERE email = ANY (:emails))`,
  },
]

/**
 * Makes everything that the database holds of the checkouts so many minutes older, as if that time had passed. Nothing
 * else changes: a lease that has not ended by then goes on.
 */
export async function letMinutesPass({ knex }: Shop, checkouts: Checkout[], minutes: number): Promise<void> {
  const cartIds = checkouts.map(({ cartId }) => cartId)
  const emails = checkouts.map(({ email }) => email)
  await knex.transaction(async (trx) => {
    for (const { table, columns, rows } of DATED) {
      const names = columns === "all" ? await readTimeColumns(trx, table) : columns
      const earlier = names.map((name) => `${name} = ${name} - :minutes * interval '1 minute'`)
      await trx.raw(`UPDATE "${table}" t SET ${earlier.join(", ")} WHERE ${rows}`, {
        cartIds,
        emails,
        minutes,
      })
    }
  })
}

async function readTimeColumns(knex: Knex, table: string): Promise<string[]> {
  return await knex("information_schema.columns")
    .where({ table_schema: "public", table_name: table, data_type: "timestamp with time zone" })
    .pluck<string[]>("column_name")
}
