import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * What core's tables no longer say of a payment that the ledger has settled.
 *
 * - `unlinked`: its cart, or the order the ledger noted, is linked to no order
 * - `order_gone`: the order was deleted
 * - `order_canceled`: the order was cancelled and the money was not registered as sent back
 * - `capture_gone`: the payment or its captures were deleted
 * - `not_booked`: the order's transactions do not have the capture
 * - `booked_differently`: they have it with another sum, twice for instance
 * - `stale_sums`: the collection's captured or refunded amount is not what its captures and refunds add up to
 */
export type SettlementBreak =
  | "unlinked"
  | "order_gone"
  | "order_canceled"
  | "capture_gone"
  | "not_booked"
  | "booked_differently"
  | "stale_sums"

export interface BrokenSettlement {
  request_id: string
  order_id: string | null
  payment_collection_id: string | null
  payment_id: string | null
  problem: SettlementBreak
}

/** The last row of a page; its time as text, because a Date has no microseconds. */
export interface SettledCursor {
  settled_at: string
  id: string
}

export interface SettlementPage {
  checked: number
  /** Null at the end. */
  next: SettledCursor | null
  broken: BrokenSettlement[]
}

/**
 * Compares a page of settled payments with core's tables, latest settled first.
 *
 * One statement that reads each table by an index: the page by `IDX_crypto_payment_request_settled`, the rest by what
 * the page names. Its cost depends on the page, not on history. The `LIMIT 1` keep Postgres from hashing whole tables
 * when a page is large.
 */
export async function findBrokenSettlements(
  knex: Knex,
  limit: number,
  after: SettledCursor | null = null
): Promise<SettlementPage> {
  const { rows } = await knex.raw<{
    rows: { checked: number; last: SettledCursor | null; broken: BrokenSettlement[] }[]
  }>(compare(after !== null), { limit, ...after })
  const { checked, last, broken } = rows[0] ?? { checked: 0, last: null, broken: [] }
  return { checked, next: checked < limit ? null : last, broken }
}

const compare = (isAfter: boolean): string => `
  WITH page AS MATERIALIZED (
    SELECT r.id, r.state, r.settled_at, r.cart_id, r.order_id, r.payment_collection_id, r.attention_reason,
           COALESCE(r.paid_session_id, r.session_id) AS session_id
      FROM crypto_payment_request r
     WHERE r.settled_at IS NOT NULL AND r.state IN ('captured', 'refunded') AND r.deleted_at IS NULL
       ${isAfter ? "AND (r.settled_at, r.id) < (:settled_at::timestamptz, :id)" : ""}
     ORDER BY r.settled_at DESC, r.id DESC
     LIMIT :limit
  ), linked AS (
    SELECT page.*, COALESCE(oc.order_id, opc.order_id) AS linked_order_id
      FROM page
      LEFT JOIN LATERAL (
        SELECT order_id FROM order_cart WHERE cart_id = page.cart_id AND deleted_at IS NULL LIMIT 1
      ) oc ON true
      LEFT JOIN LATERAL (
        SELECT order_id FROM order_payment_collection
         WHERE payment_collection_id = page.payment_collection_id AND deleted_at IS NULL LIMIT 1
      ) opc ON true
  ), compared AS (
    SELECT linked.id AS request_id,
           linked.linked_order_id AS order_id,
           linked.payment_collection_id,
           p.id AS payment_id,
           CASE
             WHEN captured.amount IS NULL THEN 'capture_gone'
             WHEN linked.linked_order_id IS NULL
               THEN CASE WHEN COALESCE(linked.cart_id, linked.order_id) IS NOT NULL THEN 'unlinked' END
             WHEN o.id IS NULL THEN 'order_gone'
             WHEN linked.state = 'captured' AND (o.canceled_at IS NOT NULL OR o.status = 'canceled')
               THEN CASE WHEN linked.attention_reason IS DISTINCT FROM 'paid_on_canceled' THEN 'order_canceled' END
             WHEN booked.amount IS NULL THEN 'not_booked'
             WHEN booked.amount <> captured.amount THEN 'booked_differently'
             WHEN COALESCE(pc.captured_amount, 0) <> sums.captured OR COALESCE(pc.refunded_amount, 0) <> sums.refunded
               THEN 'stale_sums'
           END AS problem
      FROM linked
      LEFT JOIN payment p ON p.payment_session_id = linked.session_id AND p.deleted_at IS NULL
      LEFT JOIN "order" o ON o.id = linked.linked_order_id AND o.deleted_at IS NULL
      LEFT JOIN LATERAL (
        SELECT id, captured_amount, refunded_amount FROM payment_collection WHERE id = linked.payment_collection_id LIMIT 1
      ) pc ON true
      LEFT JOIN LATERAL (
        SELECT SUM(c.amount) AS amount FROM capture c WHERE c.payment_id = p.id AND c.deleted_at IS NULL
      ) captured ON true
      LEFT JOIN LATERAL (
        SELECT SUM(t.amount) AS amount
          FROM order_transaction t
          JOIN capture c ON c.id = t.reference_id AND c.deleted_at IS NULL
         WHERE t.order_id = o.id AND t.reference = 'capture' AND t.deleted_at IS NULL AND c.payment_id = p.id
      ) booked ON true
      LEFT JOIN LATERAL (
        SELECT COALESCE(SUM((SELECT SUM(c.amount) FROM capture c
                              WHERE c.payment_id = each.id AND c.deleted_at IS NULL)), 0) AS captured,
               COALESCE(SUM((SELECT SUM(f.amount) FROM refund f
                              WHERE f.payment_id = each.id AND f.deleted_at IS NULL)), 0) AS refunded
          FROM payment each
         WHERE each.payment_collection_id = pc.id AND each.deleted_at IS NULL
      ) sums ON true
  )
  SELECT (SELECT count(*)::int FROM page) AS checked,
         (SELECT jsonb_build_object('settled_at', settled_at, 'id', id) FROM page ORDER BY settled_at, id LIMIT 1) AS last,
         COALESCE((SELECT jsonb_agg(compared) FROM compared WHERE problem IS NOT NULL), '[]') AS broken`
