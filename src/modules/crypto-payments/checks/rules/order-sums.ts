import { IS_CANCELED, IS_CASE_OF_SUM, REQUESTS } from "../../payment-requests/request-sql"
import { OTHER_TRANSACTIONS } from "../../payment-requests/order-balance"
import { CAPTURES, IDS, IS_AT_REST, IS_TOLD_AS, type AuditRules } from "../rule"

/** Servers' clocks differ, and an edit may be confirmed during a capture. */
const ABOUT = "interval '10 minutes'"

/** What a tax line adds to a price that is without tax, as a factor. */
const FACTOR = (taxLines: string, condition: string): string => `
  CROSS JOIN LATERAL (
    SELECT 1 + COALESCE(SUM(t.rate), 0) / 100 AS factor FROM ${taxLines} t WHERE ${condition} AND t.deleted_at IS NULL
  ) tax`

const DISCOUNT = (adjustments: string, isWithTax: string, condition: string): string => `
  CROSS JOIN LATERAL (
    SELECT COALESCE(SUM(c.amount * CASE WHEN ${isWithTax} THEN 1 ELSE tax.factor END), 0) AS amount
      FROM ${adjustments} c WHERE ${condition} AND c.deleted_at IS NULL
  ) discount`

/** Items that came back need not be paid for. A return that is only requested changes nothing. */
const STAYS =
  "(oi.quantity - COALESCE(oi.return_received_quantity, 0) - COALESCE(oi.return_dismissed_quantity, 0))"

/**
 * What the version `had` of the order `o` cost, as core's `decorateCartTotals` adds it up. `readOutstanding` uses that
 * function for the current version, and overpaid-order.spec.ts compares the two.
 */
const COST = `(
  (SELECT COALESCE(SUM((COALESCE(oi.unit_price, li.unit_price) * CASE WHEN li.is_tax_inclusive THEN 1 ELSE tax.factor END
                        - COALESCE(discount.amount / NULLIF(oi.quantity, 0), 0)) * ${STAYS}), 0)
     FROM order_item oi JOIN order_line_item li ON li.id = oi.item_id
     ${FACTOR("order_line_item_tax_line", "t.item_id = li.id")}
     ${DISCOUNT("order_line_item_adjustment", "c.is_tax_inclusive", "c.item_id = li.id AND c.version = oi.version")}
    WHERE oi.order_id = o.id AND oi.version = had.version AND oi.deleted_at IS NULL)
  + (SELECT COALESCE(SUM(sm.amount * CASE WHEN sm.is_tax_inclusive THEN 1 ELSE tax.factor END - discount.amount), 0)
       FROM order_shipping os JOIN order_shipping_method sm ON sm.id = os.shipping_method_id
       ${FACTOR("order_shipping_method_tax_line", "t.shipping_method_id = sm.id")}
       ${DISCOUNT("order_shipping_method_adjustment", "false", "c.shipping_method_id = sm.id AND c.version = os.version")}
      WHERE os.order_id = o.id AND os.version = had.version AND os.deleted_at IS NULL)
  - (SELECT COALESCE(SUM(c.amount), 0) FROM order_credit_line c
      WHERE c.order_id = o.id AND c.version = had.version AND c.deleted_at IS NULL))`

/** All refunds of a payment `p`. */
const REFUNDED = `
  (SELECT COALESCE(SUM(ref.amount), 0) FROM refund ref WHERE ref.payment_id = p.id AND ref.deleted_at IS NULL)`

/** The cost of the order `o` at its versions of about a time `at`. @param which the highest or the lowest of them */
const COST_ABOUT = (which: "MAX" | "MIN", at: string): string => `(
  SELECT ${which}(${COST}) AS amount
    FROM order_summary had
   WHERE had.order_id = o.id AND had.deleted_at IS NULL
     AND (had.created_at <= ${at} + ${ABOUT} OR had.version = 1)
     AND NOT EXISTS (SELECT 1 FROM order_summary later
                      WHERE later.order_id = o.id AND later.version > had.version
                        AND later.created_at <= ${at} - ${ABOUT} AND later.deleted_at IS NULL))`

/** What was captured for the order `o` in its currency until a time `at`, less `back` of a payment `p`. */
const RECEIVED = (at: string, back: string): string => `(
  SELECT ${OTHER_TRANSACTIONS("o.id", `other.created_at <= ${at}`)} + COALESCE(SUM(
           (SELECT COALESCE(SUM(cap.amount), 0) FROM capture cap
             WHERE cap.payment_id = p.id AND cap.created_at <= ${at} AND cap.deleted_at IS NULL) - ${back}), 0) AS amount
    FROM order_payment_collection opc
    JOIN payment p ON p.payment_collection_id = opc.payment_collection_id AND p.deleted_at IS NULL
     AND lower(p.currency_code) = lower(o.currency_code)
   WHERE opc.order_id = o.id AND opc.deleted_at IS NULL)`

/** Orders `o` with settled payments `r`, captured at `own.captured_at`; `os` is what core says of its present sums. */
const SETTLED_ORDERS = (pending: string): string => `
    WITH suspected AS MATERIALIZED (
      SELECT os.order_id FROM order_summary os
       WHERE os.deleted_at IS NULL AND (os.totals ->> 'pending_difference')::numeric ${pending}
         AND NOT EXISTS (SELECT 1 FROM order_summary later
                          WHERE later.order_id = os.order_id AND later.version > os.version AND later.deleted_at IS NULL)
    )
    SELECT DISTINCT ${IDS} FROM suspected
      JOIN "order" o ON o.id = suspected.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
      JOIN ${REQUESTS} r ON r.order_id = o.id AND r.state = 'captured' AND r.settled_at IS NOT NULL AND r.deleted_at IS NULL
     CROSS JOIN LATERAL (
       SELECT MAX(cap.created_at) AS captured_at FROM ${CAPTURES}
        WHERE p.payment_session_id = r.paid_session_id
     ) own`

/**
 * When money was received: when the payment of `r` was captured, and each later payment. Transactions without a capture
 * are of orders that were imported with their payments.
 */
const MOMENTS = `(
  SELECT cap.created_at AS captured_at
    FROM order_payment_collection opc
    JOIN (${CAPTURES}) ON p.payment_collection_id = opc.payment_collection_id
   WHERE opc.order_id = o.id AND opc.deleted_at IS NULL AND cap.created_at >= own.captured_at
  UNION
  SELECT other.created_at FROM order_transaction other
   WHERE other.order_id = o.id AND other.deleted_at IS NULL AND other.created_at >= own.captured_at
     AND COALESCE(other.reference, '') NOT IN ('capture', 'refund'))`

/**
 * A case reports it, or reported it after a time `at`, until an admin user closed the case or the order has changed
 * since: the timeline says so. A case that disappeared without an entry was removed, and one that the plugin ended
 * although the order is still as it was has ended too early.
 */
const WAS_TOLD = (reasons: string, at: string): string => `EXISTS (
  SELECT 1 FROM ${REQUESTS} q
   WHERE q.order_id = o.id AND q.deleted_at IS NULL
     AND (${IS_TOLD_AS("q", reasons)} AND COALESCE(q.attention_resolved_at, 'infinity') >= ${at} - ${ABOUT}
          OR EXISTS (
            SELECT 1 FROM crypto_payment_activity a
             WHERE a.request_id = q.id AND a.created_at >= ${at} - ${ABOUT} AND a.deleted_at IS NULL
               AND a.type = 'attention' AND a.detail ->> 'reason' IN (${reasons})
               AND (q.attention_reason IS NOT NULL AND q.attention_resolved_at IS NULL
                    OR EXISTS (SELECT 1 FROM crypto_payment_activity ended
                                WHERE ended.request_id = q.id AND ended.type = 'resolved'
                                  AND ended.position > a.position AND ended.deleted_at IS NULL
                                  AND (ended.detail ->> 'note' IS NOT NULL
                                       OR EXISTS (SELECT 1 FROM order_summary changed
                                                   WHERE changed.order_id = o.id AND changed.created_at > ended.created_at
                                                     AND changed.deleted_at IS NULL)))))))`

export const ORDER_SUM_RULES: AuditRules = {
  /**
   * An order that was paid correctly and became smaller later is no case, so its present cost proves nothing. What had
   * been paid at each payment is compared with the highest cost of the order's versions of about that time.
   *
   * Core's summary chooses the candidates: orders with a surplus today. Of later payments, the rule judges those that
   * the schedule has had time to check; the row's own payment is checked by its settle.
   */
  order_overpaid: {
    invariant: "I5",
    message: "More was captured for the order than it cost at that time, and no case reported it.",
    sql: `${SETTLED_ORDERS("<= -0.01")}
     CROSS JOIN LATERAL ${MOMENTS} moment
     CROSS JOIN LATERAL ${RECEIVED("moment.captured_at", REFUNDED)} received
     CROSS JOIN LATERAL ${COST_ABOUT("MAX", "moment.captured_at")} cost
     WHERE received.amount > cost.amount + 0.01 AND ${IS_AT_REST}
       AND NOT ${WAS_TOLD("'order_overpaid', 'duplicate_payment', 'paid_on_canceled'", "moment.captured_at")}
       AND (moment.captured_at = own.captured_at OR moment.captured_at < now() - ${ABOUT})`,
  },
  /** The link of a cart is to pay all of its order. An order that became dearer after it was paid is no case. */
  order_underpaid: {
    invariant: "I5",
    message: "Less was captured for the order than it cost at that time, and no case reported it.",
    sql: `${SETTLED_ORDERS(">= 0.01")}
     CROSS JOIN LATERAL ${RECEIVED("own.captured_at", "0")} received
     CROSS JOIN LATERAL ${COST_ABOUT("MIN", "own.captured_at")} cost
     WHERE r.cart_id IS NOT NULL AND received.amount < cost.amount - 0.01 AND ${IS_AT_REST}
       AND NOT ${WAS_TOLD("'order_underpaid'", "own.captured_at")}`,
  },
  /** Once a settle has seen the order's last change. Without a settle, the schedule has ten minutes for it. */
  case_sum_differs: {
    invariant: "I5",
    message: "The case names another sum than the order owes, or than was captured too much for it.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
      JOIN "order" o ON o.id = r.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
     CROSS JOIN LATERAL ${RECEIVED("'infinity'", REFUNDED)} received
     CROSS JOIN LATERAL (
       SELECT ${COST} - received.amount AS amount
         FROM order_summary had
        WHERE had.order_id = o.id AND had.version = o.version AND had.deleted_at IS NULL LIMIT 1
     ) owed
     CROSS JOIN LATERAL (
       SELECT GREATEST((SELECT MAX(os.created_at) FROM order_summary os WHERE os.order_id = o.id),
                       (SELECT MAX(t.created_at) FROM order_transaction t WHERE t.order_id = o.id)) AS at
     ) changed
     WHERE (changed.at <= r.updated_at OR changed.at < now() - ${ABOUT}) AND ${IS_CASE_OF_SUM} AND r.deleted_at IS NULL AND ${IS_AT_REST}
       AND abs(r.attention_amount::numeric
               - owed.amount * CASE r.attention_reason WHEN 'order_underpaid' THEN 1 ELSE -1 END) > 0.01`,
  },
}
