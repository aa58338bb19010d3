import { IS_CART_UNANNOUNCED, IS_UNANNOUNCED, ORDER_TO_ANNOUNCE } from "../../payment-requests/announcements"
import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import {
  CAPTURED_SUM,
  CAPTURES,
  IS_KEPT_UNTOLD,
  IS_SENT_BACK,
  IS_UNTOLD,
  OF_ORDER,
  REQUESTS_WHERE,
  type Rule,
} from "../rule"

/**
 * The order is linked to the payment collection, and to the cart if there is one. Core and the plugin find the captures
 * of an order by its link to the payment collection: without it, the order shows as unpaid.
 */
const HAS_NO_ORDER = `(SELECT o.id FROM order_payment_collection opc
    JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
    JOIN "order" o ON o.id = opc.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
   WHERE opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL
     AND (r.cart_id IS NULL OR o.id IN (
       SELECT oc.order_id FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL))
   LIMIT 1) IS NULL`

/**
 * Cancelling an order and deleting a draft order are refused while the payment is not sent back, but a script or SQL
 * can do both. A separate payment collection without cart and order needs no order.
 */
const order_missing = {
  name: "order_missing",
  message:
    "The payment is captured, its order is cancelled, does not exist or is not linked to its cart or payment collection, and there is no case.",
  sql: REQUESTS_WHERE("(r.cart_id IS NOT NULL OR r.order_id IS NOT NULL)", IS_KEPT_UNTOLD, HAS_NO_ORDER),
}

/** Core compares no currencies when it places an order, or changes a cart whose payment is captured. */
const order_currency_differs = {
  name: "order_currency_differs",
  message:
    "The order, its payment collection or its booking is in another currency than the captured payment, and there is no case.",
  sql: REQUESTS_WHERE(
    IS_KEPT_UNTOLD,
    `EXISTS (SELECT 1 FROM payment p
               JOIN payment_collection pc ON pc.id = p.payment_collection_id
              WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
                AND (lower(p.currency_code) <> lower(pc.currency_code)
                     OR lower(p.currency_code) <> lower(${OF_ORDER("o.currency_code")})
                     OR EXISTS (SELECT 1 FROM order_transaction t
                                  JOIN capture cap ON cap.id = t.reference_id AND cap.payment_id = p.id
                                 WHERE t.order_id = r.order_id AND t.deleted_at IS NULL
                                   AND lower(t.currency_code) <> lower(p.currency_code))))`
  ),
}

/** What the transactions of the row's order have of its captures. */
const BOOKED = `(
  SELECT COALESCE(round(SUM(t.amount), 2), 0) FROM ${CAPTURES}
    JOIN order_transaction t ON t.reference = 'capture' AND t.reference_id = cap.id AND t.deleted_at IS NULL
   WHERE p.payment_session_id = r.paid_session_id AND t.order_id = r.order_id)`

/** Not once: when Redis loses the cart's lock, two processes can book one capture. A settle repairs both. */
export const IS_BOOKED_OTHERWISE = `${BOOKED} <> ${CAPTURED_SUM} AND ${OF_ORDER("o.id")} IS NOT NULL`

/** The money was sent back before the order was placed: another payment of the cart paid for the order. */
export const IS_SENT_BACK_BEFORE = `(${IS_SENT_BACK} AND ${BOOKED} = 0
  AND COALESCE(r.refund_registered_at < ${OF_ORDER("o.created_at")}, false))`

const capture_not_booked = {
  name: "capture_not_booked",
  message: "The payment is captured, and its order does not have exactly that in its transactions.",
  sql: REQUESTS_WHERE(
    "r.paid_session_id IS NOT NULL AND r.order_id IS NOT NULL",
    IS_UNTOLD,
    IS_BOOKED_OTHERWISE,
    `NOT ${IS_SENT_BACK_BEFORE}`
  ),
}

/** The paid requests that share a cart or a collection with two orders, and these orders. */
const LINKED_TWICE = (link: string, column: string): string => `
      SELECT r.id, linked.order_id
        FROM (
          SELECT l.${column} FROM ${link} l WHERE l.deleted_at IS NULL GROUP BY l.${column} HAVING count(*) > 1
        ) twice
        JOIN ${REQUESTS} r ON r.${column} = twice.${column} AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
        JOIN ${link} linked ON linked.${column} = r.${column} AND linked.deleted_at IS NULL`

/** A second order of one payment is delivered for nothing. */
const two_orders = {
  name: "two_orders",
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

/** The schedule sends events that have waited for thirty seconds (`Announcements.sendLeft`). */
const event_not_sent = {
  name: "event_not_sent",
  message: "An event of the payment is recorded, but was not sent.",
  sql: REQUESTS_WHERE("r.announce_at < now() - interval '5 minutes'"),
}

/**
 * E-mails and fulfilment begin with order.placed. The schedule repeats it up to twice (`Announcements.sendLostOrders`).
 */
const order_not_announced = {
  name: "order_not_announced",
  message: "The order is paid, but its order.placed was not received.",
  sql: REQUESTS_WHERE(IS_UNANNOUNCED("5 minutes"), `EXISTS (${ORDER_TO_ANNOUNCE})`, IS_CART_UNANNOUNCED),
}

/** I4: the order of a captured payment exists and has the capture. I6: other systems hear of it. */
export const RULES_OF_ORDERS: Rule[] = [
  order_missing,
  order_currency_differs,
  capture_not_booked,
  two_orders,
  event_not_sent,
  order_not_announced,
]
