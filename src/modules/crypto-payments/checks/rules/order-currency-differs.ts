import { IS_KEPT_UNTOLD, OF_ORDER, REQUESTS_WHERE, type Rule } from "../rule"

/** Core compares no currencies when it places an order, or changes a cart whose payment is captured. */
export const order_currency_differs: Rule = {
  invariant: "I3",
  message: "The order is in another currency than its captured payment, and there is no case.",
  sql: REQUESTS_WHERE(
    IS_KEPT_UNTOLD,
    `EXISTS (SELECT 1 FROM payment p
              WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
                AND lower(p.currency_code) <> lower(${OF_ORDER("o.currency_code")}))`
  ),
}
