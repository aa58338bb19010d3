import { IS_CANCELED, ORDER_IS_DELETED, ORDER_OF_REQUEST, REQUESTS } from "../../payment-requests/request-sql"
import { IS_CART_UNANNOUNCED, IS_UNANNOUNCED, ORDER_TO_ANNOUNCE } from "../../payment-requests/announcements"
import {
  IDS,
  IS_AT_REST,
  IS_CAPTURED,
  IS_SENT_BACK,
  IS_TOLD_OF_MONEY,
  PLACED_ORDER,
  type AuditRules,
} from "../rule"

/**
 * Whether the transaction `t` names a capture or refund of Medusa's that does not exist. A transaction that names
 * something else, as of an imported order or an ERP, is no booking of Medusa's. Core's `refundPaymentsWorkflow` books a
 * refund under the id of its payment.
 */
const IS_OF_NOTHING = `(
  (t.reference = 'capture' AND cap.id IS NULL AND t.reference_id LIKE 'capt\\_%')
  OR (t.reference = 'refund' AND ref.id IS NULL
      AND (t.reference_id LIKE 'ref\\_%'
           OR t.reference_id LIKE 'pay\\_%'
              AND NOT EXISTS (SELECT 1 FROM refund made WHERE made.payment_id = t.reference_id AND made.deleted_at IS NULL))))`

/**
 * The sums that core keeps in `order_summary` for the current version of an order, which the admin shows. Core reads
 * and writes them without a lock. A booking is missing in them when another one is made at the same moment, or when a
 * change of the order, such as an edit or a fulfilment, is confirmed meanwhile.
 */
const SUMS = { transaction_total: "total", paid_total: "paid", refunded_total: "refunded" }

const SUM_DIFFERS = ([sum, total]: [string, string]): string =>
  `round(COALESCE((os.totals ->> '${sum}')::numeric, 0), 2) <> round(COALESCE(booked.${total}, 0), 2)`

/** Whether the summary `os` differs from what is `booked`. A missing sum counts as nothing. */
const SUMS_DIFFER = `(${Object.entries(SUMS).map(SUM_DIFFERS).join(" OR ")})`

const TOTALS =
  "SUM(t.amount) AS total, SUM(GREATEST(t.amount, 0)) AS paid, SUM(GREATEST(-t.amount, 0)) AS refunded"

export const ORDER_RULES: AuditRules = {
  /**
   * Core and the plugin find the captures of an order by its link to the payment collection. Without the link the order
   * shows as unpaid, and a refund is not finished. A separate payment collection without cart and order needs no order.
   */
  order_missing: {
    invariant: "I4",
    message:
      "The payment is captured, its order does not exist or is not linked to its cart or payment collection, and there is no case.",
    sql: `
    WITH suspected AS MATERIALIZED (
      SELECT r.id FROM ${REQUESTS} r
        LEFT JOIN order_cart oc ON oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
        LEFT JOIN order_payment_collection opc ON opc.payment_collection_id = r.payment_collection_id
         AND opc.deleted_at IS NULL AND (r.cart_id IS NULL OR opc.order_id = oc.order_id)
        LEFT JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
        LEFT JOIN "order" o ON o.id = opc.order_id AND o.deleted_at IS NULL
       WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
         AND (r.cart_id IS NOT NULL OR r.order_id IS NOT NULL)
       GROUP BY r.id HAVING bool_and(o.id IS NULL OR pc.id IS NULL)
    )
    SELECT ${IDS} FROM suspected JOIN ${REQUESTS} r USING (id)
     WHERE NOT ${ORDER_IS_DELETED} AND NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST}
       AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`,
  },
  /** Cancelling is refused while the payment is not sent back, but a script or SQL can still do it. */
  order_canceled: {
    invariant: "I4",
    message: "The order is cancelled, its payment is not registered as sent back, and there is no case.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
       AND placed.is_canceled AND NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST}
       AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`,
  },
  /** Core compares no currencies when it places an order, or changes a cart whose payment is captured. */
  order_currency_differs: {
    invariant: "I3",
    message: "The order is in another currency than its captured payment, and there is no case.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN "order" o ON o.id = ${ORDER_OF_REQUEST} AND o.deleted_at IS NULL
     WHERE lower(o.currency_code) <> lower(p.currency_code) AND r.deleted_at IS NULL
       AND NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST} AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`,
  },
  /** Deleting a paid draft order is refused, but a script or SQL can do it. Core deletes the payment with the order. */
  order_deleted: {
    invariant: "I4",
    message: "The order was deleted, its payment is not registered as sent back, and there is no case.",
    sql: `
    WITH suspected AS MATERIALIZED (
      SELECT r.* FROM ${REQUESTS} r
       WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL AND ${ORDER_IS_DELETED}
    )
    SELECT ${IDS} FROM suspected r
     WHERE NOT EXISTS (${PLACED_ORDER}) AND NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST}
       AND (r.captured_at IS NOT NULL OR ${IS_CAPTURED}) AND NOT ${IS_SENT_BACK}`,
  },
  /**
   * A second order of one payment is delivered for nothing.
   */
  two_orders: {
    invariant: "I4",
    message: "One cart, or one payment collection, has two orders.",
    sql: `
    WITH linked AS (
      SELECT r.id, oc.order_id
        FROM (
          SELECT oc.cart_id FROM order_cart oc WHERE oc.deleted_at IS NULL GROUP BY oc.cart_id HAVING count(*) > 1
        ) twice
        JOIN ${REQUESTS} r ON r.cart_id = twice.cart_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
        JOIN order_cart oc ON oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
       UNION
      SELECT r.id, opc.order_id
        FROM (
          SELECT opc.payment_collection_id FROM order_payment_collection opc
           WHERE opc.deleted_at IS NULL GROUP BY opc.payment_collection_id HAVING count(*) > 1
        ) twice
        JOIN ${REQUESTS} r ON r.payment_collection_id = twice.payment_collection_id AND r.paid_at IS NOT NULL
         AND r.deleted_at IS NULL
        JOIN order_payment_collection opc ON opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL
    )
    SELECT array_agg(DISTINCT r.id) AS request_ids, array_agg(DISTINCT o.id) AS order_ids
      FROM linked JOIN ${REQUESTS} r ON r.id = linked.id
      JOIN "order" o ON o.id = linked.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
     GROUP BY COALESCE(r.cart_id, r.payment_collection_id) HAVING count(DISTINCT o.id) > 1`,
  },
  /**
   * Core does not resume such an order, and nothing in it names its cart. It has the buyer, the currency and about the
   * time at which core was asked to complete the cart.
   */
  ghost_order: {
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
       AND NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST}
     GROUP BY o.id`,
  },
  /** E-mails and fulfilment begin with order.placed. The schedule repeats it up to twice. */
  order_not_announced: {
    invariant: "I6",
    message: "The order is paid, but its order.placed was not received.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE ${IS_UNANNOUNCED("5 minutes")} AND EXISTS (${ORDER_TO_ANNOUNCE})
       AND ${IS_CART_UNANNOUNCED}`,
  },
  /**
   * The admin shows the summary of the order's latest version. Core adds each transaction to two of its sums: to the
   * paid or, below zero, to the refunded total, and to the total of both. A missing sum counts as nothing.
   */
  order_sums_differ: {
    invariant: "I5",
    message: "The order's paid or refunded total differs from its transactions.",
    sql: `
    WITH booked AS (
      SELECT t.order_id, ${TOTALS} FROM order_transaction t WHERE t.deleted_at IS NULL GROUP BY t.order_id
    ), suspected AS MATERIALIZED (
      SELECT COALESCE(os.order_id, booked.order_id) AS order_id, os.version
        FROM (SELECT kept.order_id, kept.version, kept.totals FROM order_summary kept WHERE kept.deleted_at IS NULL) os
        FULL JOIN booked ON booked.order_id = os.order_id
       WHERE ${SUMS_DIFFER}
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM suspected
      JOIN ${REQUESTS} r ON r.order_id = suspected.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM order_summary later
                        WHERE later.order_id = suspected.order_id AND later.version > suspected.version
                          AND later.deleted_at IS NULL)
     GROUP BY r.order_id`,
  },
  /**
   * Core books a refund when it cancels an order, even if the provider refuses to refund: `order_canceled` finds those.
   * A transaction from before our payment is not about it: the order was imported with it.
   */
  booking_without_payment: {
    invariant: "I5",
    message: "The order has a transaction whose capture or refund does not exist.",
    sql: `
    WITH unknown AS MATERIALIZED (
      SELECT t.order_id, MAX(t.created_at) AS booked_at FROM order_transaction t
        JOIN "order" o ON o.id = t.order_id AND o.deleted_at IS NULL
         AND NOT ${IS_CANCELED}
        LEFT JOIN capture cap ON cap.id = t.reference_id AND cap.deleted_at IS NULL
        LEFT JOIN refund ref ON ref.id = t.reference_id AND ref.deleted_at IS NULL
       WHERE t.deleted_at IS NULL AND ${IS_OF_NOTHING}
       GROUP BY t.order_id
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM unknown JOIN ${REQUESTS} r ON r.order_id = unknown.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     GROUP BY r.order_id HAVING MAX(unknown.booked_at) >= MIN(r.paid_at) - interval '10 minutes'`,
  },
}
