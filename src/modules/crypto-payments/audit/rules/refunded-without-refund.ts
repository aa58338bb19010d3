import type { AuditRule } from "../audit-rule"
import { REGISTERED_REFUND, REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** Only registered refunds make a payment refunded. */
export const refundedWithoutRefund: AuditRule = {
  name: "refunded_without_refund",
  invariant: "I2",
  message: "The payment counts as refunded, and the refunds that are registered are not all of it.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.state = 'refunded' AND r.deleted_at IS NULL
       AND ${REGISTERED_REFUND} < round(r.gateway_amount::numeric, 2)`,
}
