import { IS_CANCELED, REQUESTS } from "../../payment-requests/request-sql"
import { OTHER_TRANSACTIONS } from "../../payment-requests/order-balance"
import { CAPTURES, IDS, IS_AT_REST, IS_TOLD_AS, type AuditRules } from "../audit-sql"

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

/** Returned items need not be paid for, whether their return is requested or received. */
const STAYS =
  "(oi.quantity - COALESCE(oi.return_requested_quantity, 0) - COALESCE(oi.return_received_quantity, 0) - COALESCE(oi.return_dismissed_quantity, 0))"

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

const REASONS = "'order_overpaid', 'duplicate_payment', 'paid_on_canceled'"

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
 * A case reports it, or reported it after the payment, until the order grew, the surplus was sent back or an admin user
 * closed the case: the timeline says so. A case that disappeared without an entry was removed.
 */
const WAS_TOLD = `EXISTS (
  SELECT 1 FROM ${REQUESTS} q
   WHERE q.order_id = o.id AND q.deleted_at IS NULL
     AND (${IS_TOLD_AS("q", REASONS)} AND COALESCE(q.attention_resolved_at, 'infinity') >= moment.captured_at - ${ABOUT}
          OR EXISTS (
            SELECT 1 FROM crypto_payment_activity a
             WHERE a.request_id = q.id AND a.created_at >= moment.captured_at - ${ABOUT} AND a.deleted_at IS NULL
               AND a.type = 'attention' AND a.detail ->> 'reason' IN (${REASONS})
               AND (q.attention_reason IS NOT NULL AND q.attention_resolved_at IS NULL
                    OR EXISTS (SELECT 1 FROM crypto_payment_activity ended
                                WHERE ended.request_id = q.id AND ended.type = 'resolved'
                                  AND ended.position > a.position AND ended.deleted_at IS NULL)))))`

/**
 * An order that was paid correctly and became smaller later is no case, so its present cost proves nothing. What had
 * been paid at each payment is compared with the highest cost of the order's versions of about that time.
 *
 * Core's summary chooses the candidates: orders with a surplus today. It still counts items of a pending return, so
 * orders with a return that is not received yet are candidates too. Of later payments, it judges those that the
 * schedule has had time to check; the row's own payment is checked by its settle.
 */
export const OVERPAID_RULE: AuditRules = {
  order_overpaid: {
    invariant: "I5",
    message: "More was captured for the order than it cost at that time, and no case reported it.",
    sql: `
    WITH suspected AS MATERIALIZED (
      SELECT os.order_id FROM order_summary os
       WHERE os.deleted_at IS NULL AND (os.totals ->> 'pending_difference')::numeric <= -0.01
         AND NOT EXISTS (SELECT 1 FROM order_summary later
                          WHERE later.order_id = os.order_id AND later.version > os.version AND later.deleted_at IS NULL)
       UNION
      SELECT pending.order_id FROM "return" pending
       WHERE pending.status IN ('requested', 'partially_received') AND pending.canceled_at IS NULL AND pending.deleted_at IS NULL
    )
    SELECT DISTINCT ${IDS} FROM suspected
      JOIN "order" o ON o.id = suspected.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
      JOIN ${REQUESTS} r ON r.order_id = o.id AND r.state = 'captured' AND r.settled_at IS NOT NULL AND r.deleted_at IS NULL
     CROSS JOIN LATERAL (
       SELECT MAX(cap.created_at) AS captured_at FROM ${CAPTURES}
        WHERE p.payment_session_id = r.paid_session_id
     ) own
     CROSS JOIN LATERAL ${MOMENTS} moment
     CROSS JOIN LATERAL (
       SELECT ${OTHER_TRANSACTIONS("o.id", "other.created_at <= moment.captured_at")} + COALESCE(SUM(
                (SELECT COALESCE(SUM(cap.amount), 0) FROM capture cap
                  WHERE cap.payment_id = p.id AND cap.created_at <= moment.captured_at AND cap.deleted_at IS NULL)
                - (SELECT COALESCE(SUM(ref.amount), 0) FROM refund ref
                    WHERE ref.payment_id = p.id AND ref.deleted_at IS NULL)), 0) AS amount
         FROM order_payment_collection opc
         JOIN payment p ON p.payment_collection_id = opc.payment_collection_id AND p.deleted_at IS NULL
        WHERE opc.order_id = o.id AND opc.deleted_at IS NULL
     ) received
     CROSS JOIN LATERAL (
       SELECT MAX(${COST}) AS amount
         FROM order_summary had
        WHERE had.order_id = o.id AND had.deleted_at IS NULL
          AND (had.created_at <= moment.captured_at + ${ABOUT} OR had.version = 1)
          AND NOT EXISTS (SELECT 1 FROM order_summary later
                           WHERE later.order_id = o.id AND later.version > had.version
                             AND later.created_at <= moment.captured_at - ${ABOUT} AND later.deleted_at IS NULL)
     ) cost
     WHERE received.amount > cost.amount + 0.01 AND NOT ${WAS_TOLD} AND ${IS_AT_REST}
       AND (moment.captured_at = own.captured_at OR moment.captured_at < now() - ${ABOUT})`,
  },
}
