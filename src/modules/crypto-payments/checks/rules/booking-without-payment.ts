import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import type { Rule } from "../rule"

/**
 * Whether the transaction `t` names a capture or refund of Medusa's that does not exist. A transaction that names
 * something else, as of an imported order or an ERP, is no booking of Medusa's. Core's `refundPaymentsWorkflow` books a
 * refund under the id of its payment.
 */
const IS_OF_NOTHING = `(
  (t.reference = 'capture' AND cap.id IS NULL AND t.reference_id LIKE 'capt\\_%')
  OR (t.reference = 'refund' AND ref.id IS NULL
      AND (t.reference_id LIKE 'ref\\_%'
           OR t.reference_id LIKE 'pay\\_%'
              AND NOT EXISTS (SELECT 1 FROM refund made WHERE made.payment_id = t.reference_id AND made.deleted_at IS NULL))))`

/**
 * Core books a refund when it cancels an order, even if the provider refuses to refund: `order_canceled` finds those.
 * A transaction from before our payment is not about it: the order was imported with it.
 */
export const booking_without_payment: Rule = {
  invariant: "I5",
  message: "The order has a transaction whose capture or refund does not exist.",
  sql: `
    WITH unknown AS MATERIALIZED (
      SELECT t.order_id, MAX(t.created_at) AS booked_at FROM order_transaction t
        JOIN "order" o ON o.id = t.order_id AND o.deleted_at IS NULL
         AND NOT ${IS_CANCELED}
        LEFT JOIN capture cap ON cap.id = t.reference_id AND cap.deleted_at IS NULL
        LEFT JOIN refund ref ON ref.id = t.reference_id AND ref.deleted_at IS NULL
       WHERE t.deleted_at IS NULL AND ${IS_OF_NOTHING}
       GROUP BY t.order_id
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM unknown JOIN ${REQUESTS} r ON r.order_id = unknown.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     GROUP BY r.order_id HAVING MAX(unknown.booked_at) >= MIN(r.paid_at) - interval '10 minutes'`,
}
