import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import { IS_SENT_BACK_BEFORE } from "../bookings"
import { IDS, IS_NOT_HELD, OF_ORDER, type Rule } from "../rule"

/** Refunds whose registration is finished. When core cancels an order it books a refund without a registration. */
export const refund_not_booked: Rule = {
  invariant: "I5",
  message: "Medusa has a refund of the payment, and the order's transactions do not have exactly that.",
  sql: `
    SELECT DISTINCT ${IDS} FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN refund ref ON ref.payment_id = p.id AND ref.deleted_at IS NULL
      JOIN crypto_payment_refund f ON f.medusa_refund_id = ref.id AND f.state = 'applied' AND f.deleted_at IS NULL
     WHERE r.deleted_at IS NULL AND ${IS_NOT_HELD} AND NOT ${OF_ORDER(IS_CANCELED)} AND NOT ${IS_SENT_BACK_BEFORE}
       AND -round(ref.amount, 2) <> (
         SELECT COALESCE(round(SUM(t.amount), 2), 0) FROM order_transaction t
          WHERE t.order_id = r.order_id AND t.reference = 'refund' AND t.reference_id = ref.id AND t.deleted_at IS NULL)`,
}
