import type { AuditRule } from "../audit-rule"
import { ORDER_IS_DELETED, REQUESTS } from "../../payment-requests/request-sql"
import { IDS, IS_AT_REST, IS_CAPTURED, IS_SENT_BACK, IS_TRIED_IN_VAIN } from "../audit-sql"

/**
 * `order_underpaid` and `order_overpaid` are no explanation: they say that the payment was captured. Nor is
 * `order_not_canceled`: it was opened before the payment came. Core deletes the payment of a draft order with it:
 * `order_deleted` judges that.
 */
export const paidWithoutCapture: AuditRule = {
  name: "paid_without_capture",
  invariant: "I2",
  message:
    "The gateway reported PAID, and there is neither a captured payment, nor a full refund, nor a case.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL
       AND (r.attention_reason IS NULL OR r.attention_reason IN ('order_underpaid', 'order_overpaid', 'order_not_canceled'))
       AND (${IS_AT_REST} OR ${IS_TRIED_IN_VAIN})
       AND NOT ${IS_CAPTURED} AND NOT ${IS_SENT_BACK} AND NOT (r.captured_at IS NOT NULL AND ${ORDER_IS_DELETED})`,
}
