import { CAPTURES, REQUESTS_WHERE, type Rule } from "../rule"

/** The capture is what the link asked for and the gateway received. Several captures are another rule's finding. */
export const captured_otherwise: Rule = {
  invariant: "I3",
  message: "The capture has another amount, currency or payment collection than the payment.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL",
    `EXISTS (
      SELECT 1 FROM ${CAPTURES}
       WHERE p.payment_session_id = r.paid_session_id
         AND (round(cap.amount, 2) <> round(r.gateway_amount::numeric, 2)
              OR round(cap.amount, 2) <> round(r.amount::numeric, 2)
              OR lower(p.currency_code) <> lower(r.gateway_currency_symbol)
              OR lower(p.currency_code) <> lower(r.currency_code)
              OR p.payment_collection_id IS DISTINCT FROM r.payment_collection_id))`
  ),
}
