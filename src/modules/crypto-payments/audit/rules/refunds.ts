import { REQUESTS } from "../../payment-requests/request-sql"
import { IS_REGISTERED } from "../../refunds/refund-store"
import {
  IDS,
  IS_CAPTURED,
  IS_CRYPTO_PAYMENT,
  IS_NOT_HELD,
  ORDERS_OF_COLLECTION,
  PLACED_ORDER,
  type AuditRules,
} from "../audit-sql"

export const REFUND_RULES: AuditRules = {
  /** Only a registration shows that money was sent back. Core writes a refund before it asks the provider. */
  refund_not_registered: {
    invariant: "I5",
    message: "Medusa has a refund of the payment that nobody registered.",
    sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE r.paid_session_id = p.payment_session_id AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ${ORDERS_OF_COLLECTION("p.payment_collection_id")} AS order_ids
      FROM refund ref JOIN payment p ON p.id = ref.payment_id AND p.deleted_at IS NULL
     WHERE ref.deleted_at IS NULL AND ref.created_at < now() - interval '1 minute' AND ${IS_CRYPTO_PAYMENT} AND NOT ${IS_REGISTERED}`,
  },
  /** Refunds whose registration is finished. When core cancels an order it books a refund without a registration. */
  refund_not_booked: {
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
     WHERE r.deleted_at IS NULL AND NOT placed.is_canceled AND ${IS_NOT_HELD} AND round(booked.amount, 2) <> -round(ref.amount, 2)`,
  },
  /** The schedule finishes it; an open edit of the order can delay that. Two registrations cannot share one refund. */
  refund_not_finished: {
    invariant: "I5",
    message: "A refund is registered, and is not in Medusa's books.",
    sql: `
    SELECT DISTINCT ${IDS} FROM crypto_payment_refund f JOIN ${REQUESTS} r ON r.id = f.request_id
     WHERE f.deleted_at IS NULL
       AND ((f.state = 'registered' AND f.created_at < now() - interval '1 minute')
         OR EXISTS (SELECT 1 FROM crypto_payment_refund other
                     WHERE other.medusa_refund_id = f.medusa_refund_id AND other.id <> f.id AND other.deleted_at IS NULL)
         OR (f.state = 'applied'
             AND ${IS_CAPTURED}
             AND NOT EXISTS (SELECT 1 FROM refund ref WHERE ref.id = f.medusa_refund_id AND ref.deleted_at IS NULL
                                AND round(ref.amount, 2) = round(f.amount::numeric, 2))))`,
  },
  /** Only registered refunds make a payment refunded, and no more can be sent back than was received. */
  refunded_without_refund: {
    invariant: "I2",
    message:
      "The payment counts as refunded and the registered refunds are not all of it, or they are more than was received.",
    sql: `
    WITH registered AS (
      SELECT f.request_id, SUM(f.amount::numeric) AS amount FROM crypto_payment_refund f
       WHERE f.deleted_at IS NULL GROUP BY f.request_id
    )
    SELECT ${IDS} FROM ${REQUESTS} r LEFT JOIN registered ON registered.request_id = r.id
     WHERE r.deleted_at IS NULL
       AND (r.state = 'refunded' AND (registered.amount >= round(r.gateway_amount::numeric, 2)) IS NOT TRUE
            OR registered.amount IS NOT NULL AND (registered.amount <= round(r.gateway_amount::numeric, 2)) IS NOT TRUE)`,
  },
}
