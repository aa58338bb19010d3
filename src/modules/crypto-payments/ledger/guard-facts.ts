import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"

/** Our requests that belong to an order: through its cart, its collections, or as the ledger noted. */
export async function findRequestsOfOrder(knex: Knex, orderId: string): Promise<CryptoPaymentRequestRow[]> {
  const { rows } = await knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
    `SELECT r.* FROM crypto_payment_request r
       JOIN (
         SELECT id FROM crypto_payment_request WHERE order_id = :orderId AND deleted_at IS NULL
         UNION
         SELECT q.id FROM crypto_payment_request q
           JOIN order_cart oc ON oc.cart_id = q.cart_id AND oc.deleted_at IS NULL
          WHERE oc.order_id = :orderId AND q.deleted_at IS NULL
         UNION
         SELECT q.id FROM crypto_payment_request q
           JOIN order_payment_collection opc
             ON opc.payment_collection_id = q.payment_collection_id AND opc.deleted_at IS NULL
          WHERE opc.order_id = :orderId AND q.deleted_at IS NULL
       ) own ON own.id = r.id
      WHERE r.deleted_at IS NULL`,
    { orderId }
  )
  return rows
}

/** Whether money for the cart came and all of it was sent back, so that the cart must never become an order. */
export async function isCartRefunded(knex: Knex, cartId: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM crypto_payment_request r
      WHERE r.cart_id = ? AND r.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM payment p
                     WHERE p.payment_session_id = r.paid_session_id AND p.captured_at IS NOT NULL
                       AND p.deleted_at IS NULL)
        AND r.gateway_amount::numeric <= (
          SELECT SUM(f.amount::numeric) FROM crypto_payment_refund f
           WHERE f.request_id = r.id AND f.deleted_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)`,
    [cartId]
  )
  return rows.length > 0
}
