import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import { BOOKED, BOOKED_ON_ORDER, HAS_ORDER } from "../bookings"
import { CAPTURED, CAPTURES, IS_UNTOLD, type Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

/** The transaction `t` is on the row's own order, or on another one that is neither cancelled nor deleted. */
const COUNTS = `(t.order_id = r.order_id OR EXISTS (
  SELECT 1 FROM "order" o WHERE o.id = t.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}))`

/**
 * When Redis loses the cart's lock, two processes can book one capture: a settle removes the surplus. A booking on
 * another order is a script's, and no settle removes it.
 */
export const capture_booked_twice: Rule = {
  invariant: "I5",
  message: "The transactions of the order, or of two orders, have more of the capture than was captured.",
  sql: `
    SELECT ARRAY[r.id] AS request_ids,
           ARRAY(SELECT r.order_id WHERE r.order_id IS NOT NULL
                  UNION
                 SELECT t.order_id FROM ${CAPTURES}
                   JOIN order_transaction t ON t.reference = 'capture' AND t.reference_id = cap.id AND t.deleted_at IS NULL
                  WHERE p.payment_session_id = r.paid_session_id AND ${COUNTS}
                  ORDER BY 1) AS order_ids
      FROM ${REQUESTS} r
     WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL AND ${IS_UNTOLD}
       AND ${BOOKED(COUNTS)} > ${CAPTURED} AND ${HAS_ORDER}`,
  settles: { in: [SETTLED_ON_ORDER], when: `${BOOKED_ON_ORDER} > ${CAPTURED} AND ${HAS_ORDER}` },
}
