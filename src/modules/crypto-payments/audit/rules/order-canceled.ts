import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { HAS_CASE_OF_MONEY, IDS, IS_AT_REST, IS_CAPTURED, IS_SENT_BACK, PLACED_ORDER } from "../audit-sql"

/** Cancelling is refused while the payment is not sent back. A script or SQL is not asked. */
export const orderCanceled: AuditRule = {
  name: "order_canceled",
  invariant: "I4",
  message: "The order is cancelled, its payment is not registered as sent back, and there is no case.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
       AND placed.is_canceled AND NOT ${HAS_CASE_OF_MONEY} AND ${IS_AT_REST}
       AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`,
}
