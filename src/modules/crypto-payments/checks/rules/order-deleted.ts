import { ORDER_IS_DELETED, ORDER_OF_REQUEST } from "../../payment-requests/request-sql"
import { IS_CAPTURED, IS_SENT_BACK, IS_UNTOLD, OF_ORDER, REQUESTS_WHERE, type Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

const HAS_LOST_ORDER = `${ORDER_IS_DELETED} AND ${OF_ORDER("o.id", ORDER_OF_REQUEST)} IS NULL`

/** Deleting a paid draft order is refused, but a script or SQL can do it. Core deletes the payment with the order. */
export const order_deleted: Rule = {
  invariant: "I4",
  message: "The order was deleted, its payment is not registered as sent back, and there is no case.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL",
    IS_UNTOLD,
    HAS_LOST_ORDER,
    `(r.captured_at IS NOT NULL OR ${IS_CAPTURED})`,
    `NOT ${IS_SENT_BACK}`
  ),
  settles: { in: [SETTLED_ON_ORDER], when: HAS_LOST_ORDER },
}
