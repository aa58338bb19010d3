import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import type { Rule } from "../rule"

/** The paid requests that share a cart or a collection with two orders, and these orders. */
const LINKED_TWICE = (link: string, column: string): string => `
      SELECT r.id, linked.order_id
        FROM (
          SELECT l.${column} FROM ${link} l WHERE l.deleted_at IS NULL GROUP BY l.${column} HAVING count(*) > 1
        ) twice
        JOIN ${REQUESTS} r ON r.${column} = twice.${column} AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
        JOIN ${link} linked ON linked.${column} = r.${column} AND linked.deleted_at IS NULL`

/** A second order of one payment is delivered for nothing. */
export const two_orders: Rule = {
  invariant: "I4",
  message: "One cart, or one payment collection, has two orders.",
  sql: `
    WITH linked AS (
      ${LINKED_TWICE("order_cart", "cart_id")}
       UNION
      ${LINKED_TWICE("order_payment_collection", "payment_collection_id")}
    )
    SELECT array_agg(DISTINCT r.id) AS request_ids, array_agg(DISTINCT o.id) AS order_ids
      FROM linked JOIN ${REQUESTS} r ON r.id = linked.id
      JOIN "order" o ON o.id = linked.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
     GROUP BY COALESCE(r.cart_id, r.payment_collection_id) HAVING count(DISTINCT o.id) > 1`,
}
