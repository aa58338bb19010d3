import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { RETURN_CHECK_INTERVAL } from "./queue"
import { ORDER_OF_REQUEST } from "./request-sql"

/**
 * What a shopper is told of a payment.
 *
 * - `awaiting_payment`: nothing has arrived, the link is open
 * - `processing`: the payment is under way, or the gateway said PAID and Medusa has not captured it yet
 * - `paid`: captured
 * - `failed`: the link is not offered any more, or the money was sent back, which the answer says with `refunded`
 */
export type ShopperStatus = "awaiting_payment" | "processing" | "paid" | "failed"

/** The one row a shopper's poll reads, with who may see its order and its link. */
export interface SessionStatusRow extends Pick<
  CryptoPaymentRequestRow,
  | "id"
  | "state"
  | "payment_link"
  | "gateway_status"
  | "last_checked_at"
  | "paid_at"
  | "captured_at"
  | "settled_at"
  | "attention_reason"
  | "attention_resolved_at"
  | "cart_id"
  | "order_id"
> {
  /** The gateway was not read since the payer may have paid: the status is not final. */
  is_stale: boolean
  /** The customers that own the cart and the order; null for neither. */
  cart_customer_id: string | null
  order_customer_id: string | null
  /** The order that was placed and waits for the payment of this or a later link; null otherwise. */
  unpaid_order_id: string | null
}

/** The request a session was ever bound to, by one index; the one it is bound to now goes first. */
export async function readSessionStatus(
  knex: Knex,
  sessionId: string
): Promise<SessionStatusRow | undefined> {
  const { rows } = await knex.raw<{ rows: SessionStatusRow[] }>(
    `SELECT r.id, r.state, r.payment_link, r.gateway_status, r.last_checked_at, r.paid_at, r.captured_at, r.settled_at,
            r.attention_reason, r.attention_resolved_at, r.cart_id, r.order_id,
            (r.paid_at IS NULL AND r.payment_request_id IS NOT NULL AND (r.failure IS NOT NULL OR r.last_checked_at IS NULL
              OR r.last_checked_at < now() - interval '${RETURN_CHECK_INTERVAL}')) AS is_stale,
            c.customer_id AS cart_customer_id, o.customer_id AS order_customer_id,
            CASE WHEN r.state IN ('open', 'superseded')
              THEN (SELECT u.id FROM "order" u WHERE u.id = ${ORDER_OF_REQUEST} AND u.deleted_at IS NULL
                       AND u.canceled_at IS NULL AND u.status <> 'canceled') END AS unpaid_order_id
       FROM crypto_payment_request r
       LEFT JOIN cart c ON c.id = r.cart_id
       LEFT JOIN "order" o ON o.id = r.order_id
      WHERE r.session_ids @> ARRAY[:sessionId]::text[] AND r.deleted_at IS NULL
      ORDER BY (r.session_id = :sessionId) DESC, r.created_at DESC
      LIMIT 1`,
    { sessionId }
  )
  return rows[0]
}

/** @see ShopperStatus */
export function toShopperStatus(
  row: Pick<SessionStatusRow, "state" | "gateway_status" | "last_checked_at" | "paid_at" | "captured_at">
): ShopperStatus {
  if (row.state === "refunded") {
    return "failed"
  }
  if (row.paid_at !== null) {
    return row.captured_at === null ? "processing" : "paid"
  }
  if (row.state === "closed") {
    return "failed"
  }
  // The answer to the creation says PENDING too; only a read means that a payment is under way, on an old link as well.
  if (row.gateway_status === "PENDING" && row.last_checked_at !== null) {
    return "processing"
  }
  return row.state === "superseded" ? "failed" : "awaiting_payment"
}

/** Whether money was received and the shop reviews it, or has reviewed it and placed no order. */
export function isUnderReview({
  paid_at,
  settled_at,
  attention_reason,
  attention_resolved_at,
}: Pick<SessionStatusRow, "paid_at" | "settled_at" | "attention_reason" | "attention_resolved_at">): boolean {
  return (
    paid_at !== null && attention_reason !== null && (attention_resolved_at === null || settled_at === null)
  )
}
