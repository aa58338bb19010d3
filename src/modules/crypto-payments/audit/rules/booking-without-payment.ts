import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"

/** Core books a refund when it cancels an order, also when the provider has refused to refund: `order_canceled` judges those. */
export const bookingWithoutPayment: AuditRule = {
  name: "booking_without_payment",
  invariant: "I5",
  message: "The order has a transaction whose capture or refund does not exist.",
  sql: `
    WITH unknown AS MATERIALIZED (
      SELECT DISTINCT t.order_id FROM order_transaction t
        JOIN "order" o ON o.id = t.order_id AND o.deleted_at IS NULL
         AND o.canceled_at IS NULL AND o.status <> 'canceled'
        LEFT JOIN capture cap ON cap.id = t.reference_id AND cap.deleted_at IS NULL
        LEFT JOIN refund ref ON ref.id = t.reference_id AND ref.deleted_at IS NULL
       WHERE t.deleted_at IS NULL
         AND ((t.reference = 'capture' AND cap.id IS NULL) OR (t.reference = 'refund' AND ref.id IS NULL))
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM unknown JOIN ${REQUESTS} r ON r.order_id = unknown.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     GROUP BY r.order_id`,
}
