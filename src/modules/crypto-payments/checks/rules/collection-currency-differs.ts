import { IS_AT_REST, IS_CAPTURED, IS_SENT_BACK, IS_TOLD_AS, REQUESTS_WHERE, type Rule } from "../rule"

/** A refused change of the cart's region, because the link is paid, leaves the collection in the new currency. */
export const collection_currency_differs: Rule = {
  invariant: "I5",
  message: "The payment collection is in another currency than its captured payment.",
  sql: REQUESTS_WHERE(
    `EXISTS (
      SELECT 1 FROM payment p
        JOIN payment_collection pc ON pc.id = p.payment_collection_id AND pc.currency_code <> p.currency_code
       WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL AND pc.deleted_at IS NULL)`,
    `NOT ${IS_TOLD_AS("r", "'amount_mismatch'")}`,
    IS_AT_REST,
    IS_CAPTURED,
    `NOT ${IS_SENT_BACK}`
  ),
}
