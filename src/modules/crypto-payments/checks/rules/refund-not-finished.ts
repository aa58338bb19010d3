import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS, IS_CAPTURED, type Rule } from "../rule"

/**
 * The schedule registers an interrupted refund again (`RefundStore.takeInterrupted`); an open edit of the order can
 * delay that. Two registrations cannot share one refund.
 */
export const refund_not_finished: Rule = {
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
}
