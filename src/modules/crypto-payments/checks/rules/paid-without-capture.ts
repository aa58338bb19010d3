import { ORDER_IS_DELETED } from "../../payment-requests/request-sql"
import { IS_AT_REST, IS_CAPTURED, IS_EXPLAINED, IS_SENT_BACK, REQUESTS_WHERE, type Rule } from "../rule"
import { FORGOTTEN, SETTLED_ON_ORDER } from "../windows"

const IS_NOT_CAPTURED = `NOT ${IS_CAPTURED}`

/** Core deletes the payment together with a draft order: `order_deleted` finds that. */
export const paid_without_capture: Rule = {
  invariant: "I2",
  message:
    "The gateway reported PAID, and there is neither a captured payment, nor a full refund, nor a case.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL",
    `NOT ${IS_EXPLAINED}`,
    IS_AT_REST,
    IS_NOT_CAPTURED,
    `NOT ${IS_SENT_BACK}`,
    `NOT (r.captured_at IS NOT NULL AND ${ORDER_IS_DELETED})`
  ),
  settles: { in: [SETTLED_ON_ORDER, FORGOTTEN], when: IS_NOT_CAPTURED },
}
