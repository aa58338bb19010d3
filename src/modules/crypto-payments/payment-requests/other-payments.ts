import { OTHER_TRANSACTIONS } from "./order-balance"
import { REQUESTS } from "./request-sql"

/**
 * Money that was received for an order in other ways than by its payment links: by another provider, or marked as paid.
 * When it grows after a payment was settled, too much may have been paid, and the payment is checked again.
 *
 * The row keeps the sum that its last settle saw, and not the time: so a capture during that settle is noticed,
 * whatever the clocks of the servers say. Refunds are left out, so that the sum only grows.
 */

/** What was ever paid for an order other than by our rows. Each row judges its own payment; `r` asks. */
export const OTHER_PAYMENTS_NOW = (orderId: string): string => `(
  ${OTHER_TRANSACTIONS(orderId, "other.amount > 0")} + (
  SELECT COALESCE(SUM(cap.amount), 0)
    FROM order_payment_collection opc
    JOIN payment p ON p.payment_collection_id = opc.payment_collection_id AND p.deleted_at IS NULL
    JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
   WHERE opc.order_id = ${orderId} AND opc.deleted_at IS NULL
     AND p.payment_session_id IS DISTINCT FROM r.paid_session_id
     AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} paying
                      WHERE paying.paid_session_id = p.payment_session_id AND paying.deleted_at IS NULL)))`

/** Whether this grew after `r` was settled. Only the last settled payment of an order asks: one surplus is one case. */
export const IS_PAID_AGAIN = (orderId: string): string => `(
  r.settled_at IS NOT NULL AND COALESCE(${OTHER_PAYMENTS_NOW(orderId)} > COALESCE(r.other_payments::numeric, 0), false)
  AND NOT EXISTS (
    SELECT 1 FROM ${REQUESTS} newer
     WHERE newer.order_id = ${orderId} AND newer.state = 'captured' AND newer.deleted_at IS NULL
       AND (newer.settled_at, newer.id) > (r.settled_at, r.id)))`
