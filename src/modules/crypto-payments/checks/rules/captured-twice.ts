import { CAPTURES, REQUESTS_WHERE, type Rule } from "../rule"

export const captured_twice: Rule = {
  invariant: "I2",
  message: "Medusa has more than one capture of the payment.",
  sql: REQUESTS_WHERE(
    "r.paid_session_id IS NOT NULL",
    `(SELECT count(*) FROM ${CAPTURES} WHERE p.payment_session_id = r.paid_session_id) > 1`
  ),
}
