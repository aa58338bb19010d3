import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IS_FINAL, IS_FREE, ORDER_OF_CART, REQUESTS } from "./request-sql"

/**
 * What was taken for the completion of a cart.
 *
 * - `nothing`: the cart has no payment request
 * - `busy`: a settle holds one, and nothing was taken
 * - `taken`: the rows that a settle might complete the cart for, if there are any, are held
 */
export type CompletionLease = { kind: "nothing" } | { kind: "busy" } | { kind: "taken"; leaseId: string }

/** Shorter than a settle's: the server that completes may die, and the payer waits. The cart's lock goes on longer. */
const LEASE = "45 seconds"

/** A settle of such a row may have core complete the cart. */
const MAY_COMPLETE_CART = `(NOT ${IS_FINAL} AND (r.state = 'open' OR r.paid_at IS NOT NULL))`

/**
 * Takes the rows of a cart for a completion that comes from a storefront, all of them or none, as a settle takes its
 * row. So the two exclude each other even when the cart's lock is lost, as when Redis loses its data. One statement,
 * which reads the rows by the index on the cart.
 */
export async function leaseForCompletion(knex: Knex, cartId: string): Promise<CompletionLease> {
  const leaseId = randomUUID()
  const { rows } = await knex.raw<{ rows: { is_known: boolean; is_busy: boolean }[] }>(
    `WITH known AS (
       SELECT r.id, ${MAY_COMPLETE_CART} AS is_wanted, ${IS_FREE} AS is_free FROM ${REQUESTS} r
        WHERE r.cart_id = :cartId AND r.deleted_at IS NULL
        ORDER BY r.id FOR UPDATE
     ), busy AS (
       SELECT EXISTS (SELECT 1 FROM known WHERE is_wanted AND NOT is_free) AS is_busy
     ), taken AS (
       UPDATE ${REQUESTS} r SET lease_id = :leaseId, lease_until = now() + interval '${LEASE}'
         FROM known, busy
        WHERE r.id = known.id AND known.is_wanted AND NOT busy.is_busy
     )
     SELECT EXISTS (SELECT 1 FROM known) AS is_known, is_busy FROM busy`,
    { cartId, leaseId }
  )
  if (rows[0]?.is_known !== true) {
    return { kind: "nothing" }
  }
  return rows[0].is_busy ? { kind: "busy" } : { kind: "taken", leaseId }
}

/**
 * Gives the rows back. What was paid for a cart that is an order now is made due: whoever heard of the order meanwhile
 * could not have it settled.
 *
 * @returns the ids of the rows that are due
 */
export async function releaseCompletion(knex: Knex, cartId: string, leaseId: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string; is_due: boolean | null }[] }>(
    `UPDATE ${REQUESTS} r
        SET lease_id = NULL, lease_until = NULL,
            next_check_at = CASE WHEN r.paid_at IS NOT NULL AND NOT ${IS_FINAL} AND ${ORDER_OF_CART} IS NOT NULL
                                 THEN now() ELSE r.next_check_at END
      WHERE r.cart_id = :cartId AND r.lease_id = :leaseId
      RETURNING r.id, r.next_check_at <= now() AS is_due`,
    { cartId, leaseId }
  )
  return rows.filter(({ is_due }) => is_due === true).map(({ id }) => id)
}
