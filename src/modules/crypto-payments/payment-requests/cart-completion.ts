import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CompletionBlock } from "../errors"
import { LeaseLost, type LeasedRow } from "./leases"
import { CAPTURED, REFUNDED } from "./order-balance"
import { IS_PAID_EXACTLY, REQUESTS } from "./request-sql"

/** Money of a closed case would pay the cart: its session exists, and no other payment of the collection is left. */
const WOULD_PAY_ALONE = `(
  EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.session_id AND s.deleted_at IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM payment p
     WHERE p.payment_collection_id = r.payment_collection_id AND p.payment_session_id IS DISTINCT FROM r.session_id
       AND p.deleted_at IS NULL AND ${CAPTURED} > ${REFUNDED}))`

/** What the rows of a cart say about completing it. */
export class CartCompletions {
  constructor(private readonly knex: Knex) {}

  /**
   * Notes that core is asked to complete the cart: if the process dies, the next attempt looks for its order.
   *
   * @param lease of a settle that asks
   * @returns when core was asked to complete the cart before; null when this is the first time
   * @throws LeaseLost
   */
  async begin(cartId: string, lease?: LeasedRow): Promise<Date | null> {
    const { rows } = await this.knex.raw<{ rows: { since: Date | null }[] }>(
      `UPDATE ${REQUESTS} r SET completion_began_at = COALESCE(r.completion_began_at, now())
         FROM (SELECT MIN(k.completion_began_at) AS since FROM ${REQUESTS} k
                WHERE k.cart_id = :cartId AND k.deleted_at IS NULL) before
        WHERE r.cart_id = :cartId AND r.deleted_at IS NULL
          AND (CAST(:leaseId AS text) IS NULL OR r.lease_id = :leaseId) RETURNING before.since`,
      { cartId, leaseId: lease?.lease_id ?? null }
    )
    if (lease !== undefined && rows[0] === undefined) {
      throw new LeaseLost()
    }
    return rows[0]?.since ?? null
  }

  /** When core was last asked to complete the cart; null when it never was. */
  async readBegun(cartId: string): Promise<Date | null> {
    const { rows } = await this.knex.raw<{ rows: { since: Date | null }[] }>(
      `SELECT MIN(completion_began_at) AS since FROM ${REQUESTS} WHERE cart_id = ? AND deleted_at IS NULL`,
      [cartId]
    )
    return rows[0]?.since ?? null
  }

  /** The order of the former attempts was looked for, and there is none: only this attempt counts from now on. */
  async beginAgain(cartId: string): Promise<void> {
    await this.knex(REQUESTS)
      .where({ cart_id: cartId, deleted_at: null })
      .update({ completion_began_at: this.knex.fn.now() })
  }

  /**
   * A cart whose payment was sent back in full can be paid again: core deletes the paid session for the new one. So can
   * a cart whose money no session waits for, or was of another amount: core does not complete it for that money.
   *
   * @returns null when the cart may be completed, or is an order already
   */
  async readCompletionBlock(cartId: string): Promise<CompletionBlock | null> {
    const { rows } = await this.knex.raw<{ rows: { block: CompletionBlock | null }[] }>(
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
                 AND r.attention_resolved_at IS NOT NULL THEN 'resolved_by_admin' END AS block
         FROM crypto_payment_request r
        WHERE r.cart_id = ? AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)
        ORDER BY block DESC NULLS LAST LIMIT 1`,
      [cartId]
    )
    return rows[0]?.block ?? null
  }
}
