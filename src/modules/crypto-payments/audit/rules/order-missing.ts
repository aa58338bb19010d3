import type { AuditRule } from "../audit-rule"
import { ORDER_IS_DELETED, REQUESTS } from "../../payment-requests/request-sql"
import { HAS_CASE_OF_MONEY, IDS, IS_AT_REST, IS_CAPTURED, IS_SENT_BACK, PLACED_ORDER } from "../audit-sql"

/** A payment collection of its own, without a cart and without an order, needs no order. */
export const orderMissing: AuditRule = {
  name: "order_missing",
  invariant: "I4",
  message:
    "The payment is captured, its order does not exist or is not linked to its cart, and there is no case.",
  sql: `
    WITH suspected AS MATERIALIZED (
      SELECT r.* FROM ${REQUESTS} r
        LEFT JOIN order_cart oc ON oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
        LEFT JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL
       WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
         AND (r.cart_id IS NOT NULL OR r.order_id IS NOT NULL) AND o.id IS NULL
    )
    SELECT ${IDS} FROM suspected r
     WHERE NOT ${ORDER_IS_DELETED} AND NOT EXISTS (${PLACED_ORDER}) AND NOT ${HAS_CASE_OF_MONEY} AND ${IS_AT_REST}
       AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`,
}
