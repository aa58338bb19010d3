import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS, IS_AT_REST, IS_CAPTURED, IS_TRIED_IN_VAIN } from "../audit-sql"

/** A payment is finished when a settle found nothing left to do. */
export const notSettled: AuditRule = {
  name: "not_settled",
  invariant: "I2",
  message: "The payment is captured, and nobody finishes it: it has no case and no next check.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.paid_at IS NOT NULL AND r.settled_at IS NULL AND r.deleted_at IS NULL
       AND r.attention_reason IS NULL AND r.state <> 'refunded'
       AND (${IS_AT_REST} OR ${IS_TRIED_IN_VAIN})
       AND ${IS_CAPTURED}`,
}
