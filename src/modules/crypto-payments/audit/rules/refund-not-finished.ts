import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** It is finished by the schedule, which an open edit of the order can hold up. */
export const refundNotFinished: AuditRule = {
  name: "refund_not_finished",
  invariant: "I5",
  message: "A refund is registered, and is not in Medusa's books.",
  sql: `
    SELECT ${IDS} FROM crypto_payment_refund f JOIN ${REQUESTS} r ON r.id = f.request_id
     WHERE f.deleted_at IS NULL
       AND ((f.state = 'registered' AND f.created_at < now() - interval '1 minute')
         OR (f.state = 'applied'
             AND EXISTS (SELECT 1 FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
                          WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL)
             AND NOT EXISTS (SELECT 1 FROM refund ref WHERE ref.id = f.medusa_refund_id AND ref.deleted_at IS NULL
                                AND round(ref.amount, 2) = round(f.amount::numeric, 2))))`,
}
