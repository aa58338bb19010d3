import {
  IS_CANCELED,
  ORDER_IS_DELETED,
  ORDER_OF_CART,
  ORDER_OF_COLLECTION,
} from "../../payment-requests/request-sql"
import { IS_KEPT_UNTOLD, REQUESTS_WHERE, type Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

/** The order that is linked to the row's cart or, without one, to its payment collection. */
const HAS_NO_LINKED_ORDER = `(SELECT o.id FROM "order" o
  WHERE o.id = CASE WHEN r.cart_id IS NULL THEN ${ORDER_OF_COLLECTION} ELSE ${ORDER_OF_CART} END
    AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}) IS NULL`

/** The order is linked to the payment collection too, and to the same one. */
const HAS_NO_ORDER_OF_BOTH = `(SELECT o.id FROM order_payment_collection opc
    JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
    JOIN "order" o ON o.id = opc.order_id AND o.deleted_at IS NULL
   WHERE opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL
     AND (r.cart_id IS NULL OR o.id IN (
       SELECT oc.order_id FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL))
   LIMIT 1) IS NULL`

/**
 * Core and the plugin find the captures of an order by its link to the payment collection. Without the link the order
 * shows as unpaid, and a refund is not finished. A separate payment collection without cart and order needs no order.
 *
 * A settle links the collection of an order without a cart again. It cannot do that for a cart's order.
 */
export const order_missing: Rule = {
  invariant: "I4",
  message:
    "The payment is captured, its order does not exist or is not linked to its cart or payment collection, and there is no case.",
  sql: REQUESTS_WHERE(
    "(r.cart_id IS NOT NULL OR r.order_id IS NOT NULL)",
    IS_KEPT_UNTOLD,
    `NOT ${ORDER_IS_DELETED}`,
    HAS_NO_ORDER_OF_BOTH
  ),
  settles: { in: [SETTLED_ON_ORDER], when: HAS_NO_LINKED_ORDER },
}
