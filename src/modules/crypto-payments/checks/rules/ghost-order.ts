import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import { IS_UNTOLD, type Rule } from "../rule"

/**
 * Core does not resume such an order, and nothing in it names its cart. It has the buyer, the currency and about the
 * time at which core was asked to complete the cart.
 */
export const ghost_order: Rule = {
  invariant: "I4",
  message: "An order may have been begun for a cart and never placed: the server ended in between.",
  sql: `
    WITH unplaced AS MATERIALIZED (
      SELECT o.id, o.customer_id, o.currency_code, o.created_at FROM "order" o
       WHERE o.deleted_at IS NULL AND NOT o.is_draft_order AND NOT ${IS_CANCELED}
         AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = o.id AND oc.deleted_at IS NULL)
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[o.id] AS order_ids
      FROM unplaced o
      JOIN cart c ON c.customer_id = o.customer_id AND c.currency_code = o.currency_code
      JOIN ${REQUESTS} r ON r.cart_id = c.id AND r.deleted_at IS NULL
       AND r.completion_began_at BETWEEN o.created_at - interval '10 minutes' AND o.created_at + interval '10 minutes'
     WHERE NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.cart_id = c.id AND oc.deleted_at IS NULL)
       AND ${IS_UNTOLD}
     GROUP BY o.id`,
}
