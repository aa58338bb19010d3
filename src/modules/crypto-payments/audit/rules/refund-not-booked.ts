import type { AuditRule } from "../audit-rule"
import { IS_FREE, REQUESTS } from "../../payment-requests/request-sql"
import { IDS, PLACED_ORDER } from "../audit-sql"

/** Of refunds whose registration is finished. When core cancels an order it books a refund by itself. */
export const refundNotBooked: AuditRule = {
  name: "refund_not_booked",
  invariant: "I5",
  message: "Medusa has a refund of the payment, and the order's transactions do not have exactly that.",
  sql: `
    SELECT DISTINCT ${IDS} FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN refund ref ON ref.payment_id = p.id AND ref.deleted_at IS NULL
      JOIN crypto_payment_refund f ON f.medusa_refund_id = ref.id AND f.state = 'applied' AND f.deleted_at IS NULL
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     CROSS JOIN LATERAL (
       SELECT COALESCE(SUM(t.amount), 0) AS amount FROM order_transaction t
        WHERE t.order_id = placed.id AND t.reference = 'refund' AND t.reference_id = ref.id AND t.deleted_at IS NULL
     ) booked
     WHERE r.deleted_at IS NULL AND NOT placed.is_canceled AND ${IS_FREE} AND round(booked.amount, 2) <> -round(ref.amount, 2)`,
}
