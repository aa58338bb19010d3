import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"

/** A second order of one payment is delivered for nothing. */
export const twoOrders: AuditRule = {
  name: "two_orders",
  invariant: "I4",
  message: "One cart became two orders.",
  sql: `
    SELECT array_agg(DISTINCT r.id) AS request_ids, array_agg(DISTINCT o.id) AS order_ids
      FROM (
        SELECT oc.cart_id FROM order_cart oc WHERE oc.deleted_at IS NULL GROUP BY oc.cart_id HAVING count(*) > 1
      ) twice
      JOIN ${REQUESTS} r ON r.cart_id = twice.cart_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
      JOIN order_cart oc ON oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
      JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL AND o.canceled_at IS NULL
     GROUP BY r.cart_id HAVING count(DISTINCT o.id) > 1`,
}
