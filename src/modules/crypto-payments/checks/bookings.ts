import { CAPTURES, IS_SENT_BACK, OF_ORDER } from "./rule"

/** What the transactions `t` that meet a condition have of the row's captures. */
export const BOOKED = (condition: string): string => `(
  SELECT COALESCE(round(SUM(t.amount), 2), 0) FROM ${CAPTURES}
    JOIN order_transaction t ON t.reference = 'capture' AND t.reference_id = cap.id AND t.deleted_at IS NULL
   WHERE p.payment_session_id = r.paid_session_id AND ${condition})`

export const BOOKED_ON_ORDER = BOOKED("t.order_id = r.order_id")

export const HAS_ORDER = `${OF_ORDER("o.id")} IS NOT NULL`

/** The money was sent back before the order was placed: another payment of the cart paid for the order. */
export const IS_SENT_BACK_BEFORE = `(${IS_SENT_BACK} AND ${BOOKED_ON_ORDER} = 0
  AND COALESCE(r.refund_registered_at < ${OF_ORDER("o.created_at")}, false))`
