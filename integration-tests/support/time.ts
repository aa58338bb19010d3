import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const REQUESTS = "SELECT id FROM crypto_payment_request WHERE cart_id = ANY (:cartIds)"
const COLLECTIONS = "SELECT payment_collection_id FROM cart_payment_collection WHERE cart_id = ANY (:cartIds)"
const PAYMENTS = `SELECT id FROM payment WHERE payment_collection_id IN (${COLLECTIONS})`
/** An order that a process began and died over has no cart. */
const ORDERS = `SELECT id FROM "order" WHERE email = ANY (:emails)
          UNION SELECT order_id FROM order_cart WHERE cart_id = ANY (:cartIds)`

/** Tables with times that something is decided by, and their rows that belong to checkouts. */
const DATED = {
  crypto_payment_request: `id IN (${REQUESTS})`,
  crypto_payment_refund: `request_id IN (${REQUESTS})`,
  crypto_payment_activity: `request_id IN (${REQUESTS})`,
  payment_session: `payment_collection_id IN (${COLLECTIONS})`,
  payment: `id IN (${PAYMENTS})`,
  capture: `payment_id IN (${PAYMENTS})`,
  refund: `payment_id IN (${PAYMENTS})`,
  order: `id IN (${ORDERS})`,
  order_change: `order_id IN (${ORDERS})`,
}

/**
 * Makes what the database holds so many minutes older, as if that time had passed: all times of a row together. Nothing
 * else changes: a lease that has not ended by then goes on.
 *
 * @param checkouts only what belongs to these
 */
export async function letMinutesPass(
  { knex }: { knex: Knex },
  minutes: number,
  checkouts?: { cartId: string; email?: string }[]
): Promise<void> {
  const bindings = {
    minutes,
    cartIds: checkouts?.map(({ cartId }) => cartId) ?? [],
    emails: checkouts?.map(({ email = "" }) => email) ?? [],
  }
  await knex.transaction(async (trx) => {
    for (const [table, ofCheckouts] of Object.entries(DATED)) {
      const columns = await trx("information_schema.columns")
        .where({ table_schema: "public", table_name: table, data_type: "timestamp with time zone" })
        .pluck<string[]>("column_name")
      const earlier = columns.map((name) => `${name} = ${name} - :minutes * interval '1 minute'`).join(", ")
      const rows = checkouts === undefined ? "true" : ofCheckouts
      await trx.raw(`UPDATE "${table}" SET ${earlier} WHERE ${rows}`, bindings)
    }
  })
}
