import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CompletionBar } from "../errors"
import { LeaseLost, type LeasedRow } from "./leases"
import { CAPTURED, REFUNDED } from "./order-balance"
import { IS_FINAL, IS_FREE, IS_PAID_EXACTLY, ORDER_OF_CART, REQUESTS } from "./request-sql"

/** Shorter than a settle's: the server that completes may die, and the payer waits. The cart's lock lasts longer. */
export const COMPLETION_LEASE_MS = 45_000

const IS_PAID_ORDER = `(r.paid_at IS NOT NULL AND NOT ${IS_FINAL} AND ${ORDER_OF_CART} IS NOT NULL)`

/** Money of a closed case would pay the cart: its session exists, and no other payment of the collection is left. */
const WOULD_PAY_ALONE = `(
  EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.session_id AND s.deleted_at IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM payment p
     WHERE p.payment_collection_id = r.payment_collection_id AND p.payment_session_id IS DISTINCT FROM r.session_id
       AND p.deleted_at IS NULL AND ${CAPTURED} > ${REFUNDED}))`

/** The leases of rows that a completion from a storefront holds. */
export class CompletionLeases {
  constructor(private readonly knex: Knex) {}

  /**
   * Leases the rows of a cart for a completion from a storefront: all, or none if a settle holds one. So the completion
   * and a settle exclude each other even when the cart's lock is lost, as when Redis loses its data.
   *
   * @returns undefined while a settle holds one; a null id when the cart has no payment request; when core was
   *   asked to complete the cart before, or null
   */
  async take(cartId: string): Promise<{ leaseId: string | null; since: Date | null } | undefined> {
    const leaseId = randomUUID()
    const { rows } = await this.knex.raw<{
      rows: { is_known: boolean; is_busy: boolean; since: Date | null }[]
    }>(
      `WITH known AS (
         SELECT r.id, r.completion_began_at, ${IS_FREE} AS is_free,
                NOT ${IS_FINAL} AND (r.state = 'open' OR r.paid_at IS NOT NULL) AS is_wanted FROM ${REQUESTS} r
          WHERE r.cart_id = :cartId AND r.deleted_at IS NULL
          ORDER BY r.id FOR UPDATE
       ), busy AS (
         SELECT EXISTS (SELECT 1 FROM known WHERE is_wanted AND NOT is_free) AS is_busy
       ), taken AS (
         UPDATE ${REQUESTS} r
            SET completion_began_at = COALESCE(r.completion_began_at, now()),
                lease_id = CASE WHEN known.is_wanted THEN :leaseId ELSE r.lease_id END,
                lease_until = CASE WHEN known.is_wanted THEN now() + interval '${String(COMPLETION_LEASE_MS)} milliseconds'
                  ELSE r.lease_until END
           FROM known, busy
          WHERE r.id = known.id AND NOT busy.is_busy
       )
       SELECT EXISTS (SELECT 1 FROM known) AS is_known, is_busy,
              (SELECT MIN(completion_began_at) FROM known) AS since FROM busy`,
      { cartId, leaseId }
    )
    const [found] = rows
    const id = found?.is_known === true ? leaseId : null
    return found?.is_busy === true ? undefined : { leaseId: id, since: found?.since ?? null }
  }

  /**
   * Notes that a settle has core complete the cart: if the process dies, the next attempt looks for its order.
   *
   * @returns when core was asked to complete the cart before; null when this is the first time
   * @throws LeaseLost
   */
  async begin({ id, lease_id }: LeasedRow, cartId: string): Promise<Date | null> {
    const { rows } = await this.knex.raw<{ rows: { since: Date | null }[] }>(
      `UPDATE ${REQUESTS} r SET completion_began_at = COALESCE(r.completion_began_at, now())
         FROM (SELECT MIN(k.completion_began_at) AS since FROM ${REQUESTS} k
                WHERE k.cart_id = :cartId AND k.deleted_at IS NULL) before
        WHERE r.id = :id AND r.lease_id = :lease_id RETURNING before.since`,
      { id, lease_id, cartId }
    )
    if (rows[0] === undefined) {
      throw new LeaseLost()
    }
    return rows[0].since
  }

  /** The order of the former attempts was looked for, and there is none: only this attempt counts from now on. */
  async beginAgain(cartId: string): Promise<void> {
    await this.knex(REQUESTS)
      .where({ cart_id: cartId, deleted_at: null })
      .update({ completion_began_at: this.knex.fn.now() })
  }

  /** Releases the rows. Paid rows whose cart is an order now become due: meanwhile nobody could settle them. */
  async release(cartId: string, leaseId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r
          SET lease_id = NULL, lease_until = NULL,
              next_check_at = CASE WHEN ${IS_PAID_ORDER} THEN now() ELSE r.next_check_at END,
              check_trigger = CASE WHEN ${IS_PAID_ORDER} THEN 'order_changed' ELSE r.check_trigger END
        WHERE r.cart_id = :cartId AND r.lease_id = :leaseId`,
      { cartId, leaseId }
    )
  }

  /**
   * A cart whose payment was sent back in full can be paid again: core deletes the paid session for the new one. So can
   * a cart whose money no session waits for, or was of another amount: core does not complete it for that money.
   *
   * @returns null when the cart may be completed, or is an order already
   */
  async readBar(cartId: string): Promise<CompletionBar | null> {
    const { rows } = await this.knex.raw<{ rows: { bar: CompletionBar | null }[] }>(
      `SELECT CASE
                WHEN EXISTS (SELECT 1 FROM payment p
                              WHERE p.payment_session_id = r.paid_session_id AND p.captured_at IS NOT NULL
                                AND p.deleted_at IS NULL)
                 AND EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.paid_session_id AND s.deleted_at IS NULL)
                 AND r.refund_registered_at IS NOT NULL THEN 'refunded'
                WHEN r.attention_reason <> 'orphan_paid'
                 AND (r.attention_reason <> 'amount_mismatch' OR ${IS_PAID_EXACTLY})
                 AND (r.attention_reason NOT IN ('duplicate_payment', 'amount_mismatch') OR ${WOULD_PAY_ALONE})
                 AND COALESCE(r.attention_since, r.attention_resolved_at) >= r.paid_at
                 AND r.attention_resolved_at IS NOT NULL THEN 'left_to_person' END AS bar
         FROM crypto_payment_request r
        WHERE r.cart_id = ? AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)
        ORDER BY bar DESC NULLS LAST LIMIT 1`,
      [cartId]
    )
    return rows[0]?.bar ?? null
  }
}
