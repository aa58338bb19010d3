import { BOOKED_ON_ORDER, HAS_ORDER, IS_SENT_BACK_BEFORE } from "../bookings"
import { CAPTURED, IS_UNTOLD, REQUESTS_WHERE, type Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

const IS_NOT_BOOKED = `${BOOKED_ON_ORDER} < ${CAPTURED} AND ${HAS_ORDER}`

export const capture_not_booked: Rule = {
  invariant: "I4",
  message: "The payment is captured, and its order does not have it in its transactions.",
  sql: REQUESTS_WHERE(
    "r.paid_session_id IS NOT NULL AND r.order_id IS NOT NULL",
    IS_UNTOLD,
    IS_NOT_BOOKED,
    `NOT ${IS_SENT_BACK_BEFORE}`
  ),
  settles: { in: [SETTLED_ON_ORDER], when: IS_NOT_BOOKED },
}
