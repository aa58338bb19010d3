import { amountsEqual, isMoreThan } from "../../../../decision"
import { IS_CANCELED, IS_CASE_OF_SUM, REGISTERED_REFUND, REQUESTS } from "../../payment-requests/request-sql"
import {
  IDS,
  IS_AT_REST,
  IS_CAPTURED,
  IS_CRYPTO_PAYMENT,
  IS_NOT_HELD,
  IS_TOLD_AS,
  OF_ORDER,
  type Rule,
} from "../rule"
import { CLAIMED } from "../windows"
import { IS_SENT_BACK_BEFORE } from "./orders"

const SUMS_OF = (table: "capture" | "refund"): string => `
  SELECT p.payment_collection_id, SUM(made.amount) AS amount
    FROM payment p JOIN ${table} made ON made.payment_id = p.id AND made.deleted_at IS NULL
   WHERE p.deleted_at IS NULL GROUP BY p.payment_collection_id`

/** Core writes these sums last, so a process that ends early does not update them. */
const collection_sums_differ = {
  name: "collection_sums_differ",
  message: "The payment collection's sums differ from its captures and refunds.",
  sql: `
    WITH captured AS (${SUMS_OF("capture")}), refunded AS (${SUMS_OF("refund")}), suspected AS MATERIALIZED (
      SELECT pc.id FROM payment_collection pc
        LEFT JOIN captured ON captured.payment_collection_id = pc.id
        LEFT JOIN refunded ON refunded.payment_collection_id = pc.id
       WHERE pc.deleted_at IS NULL
         AND (round(COALESCE(pc.captured_amount, 0), 2) <> round(COALESCE(captured.amount, 0), 2)
              OR round(COALESCE(pc.refunded_amount, 0), 2) <> round(COALESCE(refunded.amount, 0), 2))
    )
    SELECT COALESCE(array_agg(DISTINCT r.id) FILTER (WHERE r.id IS NOT NULL), '{}') AS request_ids,
           COALESCE(array_agg(DISTINCT opc.order_id) FILTER (WHERE opc.order_id IS NOT NULL), '{}') AS order_ids
      FROM suspected
      LEFT JOIN ${REQUESTS} r ON r.payment_collection_id = suspected.id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
      LEFT JOIN order_payment_collection opc ON opc.payment_collection_id = suspected.id AND opc.deleted_at IS NULL
     WHERE EXISTS (SELECT 1 FROM payment p
                    WHERE p.payment_collection_id = suspected.id AND ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL)
     GROUP BY suspected.id HAVING bool_and(r.id IS NULL OR ${IS_NOT_HELD})`,
}

/** Whether a sum of the summary `os` differs from what is `booked`. A missing sum counts as nothing. */
const DIFFERS = (sum: string, total: string): string =>
  `round(COALESCE((os.totals ->> '${sum}')::numeric, 0), 2) <> round(COALESCE(booked.${total}, 0), 2)`

const TOTALS =
  "SUM(t.amount) AS total, SUM(GREATEST(t.amount, 0)) AS paid, SUM(GREATEST(-t.amount, 0)) AS refunded"

/**
 * The admin shows the summary of the order's latest version. Core adds each transaction to two of its sums: to the
 * paid or, below zero, to the refunded total, and to the total of both. It reads and writes them without a lock: a
 * booking is missing in them when another one is made at the same moment, or when a change of the order, such as an
 * edit or a fulfilment, is confirmed meanwhile.
 */
const order_sums_differ = {
  name: "order_sums_differ",
  message: "The order's paid or refunded total differs from its transactions.",
  sql: `
    WITH booked AS (
      SELECT t.order_id, ${TOTALS} FROM order_transaction t WHERE t.deleted_at IS NULL GROUP BY t.order_id
    ), suspected AS MATERIALIZED (
      SELECT COALESCE(os.order_id, booked.order_id) AS order_id, os.version
        FROM (SELECT kept.order_id, kept.version, kept.totals FROM order_summary kept WHERE kept.deleted_at IS NULL) os
        FULL JOIN booked ON booked.order_id = os.order_id
       WHERE ${DIFFERS("transaction_total", "total")} OR ${DIFFERS("paid_total", "paid")}
          OR ${DIFFERS("refunded_total", "refunded")}
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM suspected
      JOIN ${REQUESTS} r ON r.order_id = suspected.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM order_summary later
                        WHERE later.order_id = suspected.order_id AND later.version > suspected.version
                          AND later.deleted_at IS NULL)
     GROUP BY r.order_id`,
}

const REFUNDS = `payment p JOIN refund ref ON ref.payment_id = p.id AND ref.deleted_at IS NULL AND p.deleted_at IS NULL`
const MADE = `(
  SELECT COALESCE(round(SUM(ref.amount), 2), 0) FROM ${REFUNDS} WHERE p.payment_session_id = r.paid_session_id)`
const BOOKED_BACK = `(
  SELECT COALESCE(-round(SUM(t.amount), 2), 0) FROM ${REFUNDS}
    JOIN order_transaction t ON t.reference = 'refund' AND t.reference_id = ref.id AND t.deleted_at IS NULL
   WHERE p.payment_session_id = r.paid_session_id AND t.order_id = r.order_id)`

/**
 * Only a registration shows that money was sent back. A process can end between it, core's refund and the booking: the
 * schedule registers an interrupted refund again (`RefundStore.takeInterrupted`). When core cancels an order, it books
 * a refund that nobody made. Money that was never captured has no refund in Medusa.
 */
const refund_sums_differ = {
  name: "refund_sums_differ",
  message:
    "The registered refunds, Medusa's refunds of the payment and those in the order's transactions differ.",
  sql: `
    WITH refunded AS (
      SELECT f.request_id AS id FROM crypto_payment_refund f WHERE f.deleted_at IS NULL
       UNION
      SELECT r.id FROM ${REFUNDS} JOIN ${REQUESTS} r ON r.paid_session_id = p.payment_session_id
    )
    SELECT ${IDS} FROM ${REQUESTS} r JOIN refunded ON refunded.id = r.id
     WHERE r.deleted_at IS NULL AND ${IS_NOT_HELD} AND ${IS_CAPTURED}
       AND NOT EXISTS (SELECT 1 FROM crypto_payment_refund f
                        WHERE f.request_id = r.id AND f.state = 'registered' AND f.deleted_at IS NULL
                          AND f.created_at >= now() - interval '1 minute')
       AND (${MADE} <> ${REGISTERED_REFUND}
            OR ${BOOKED_BACK} <> ${MADE} AND ${OF_ORDER(`NOT ${IS_CANCELED}`)} AND NOT ${IS_SENT_BACK_BEFORE})`,
}

interface PaidOtherwise {
  /** A condition on what the order `owes` now, as core's summary says. It chooses the candidates. */
  candidates: string
  /** The cost to compare with: the highest or the lowest since the last payment. */
  cost: "MAX" | "MIN"
  /** A condition on what was `received` and the `cost`. */
  condition: string
  /** The cases that report it. */
  reasons: string
}

/**
 * Settled payments whose order was paid more, or less, than it has cost at any time since its last payment. An order
 * whose price was changed later is no finding: the merchant changed it, and the order's page shows the difference.
 *
 * Core keeps a summary of each version of an order. Servers' clocks differ, and an edit may be confirmed during a
 * capture: so the versions of ten minutes before count too. A payment that was made since the last settle has ten
 * minutes to be seen by the schedule.
 */
const PAID_OTHERWISE = ({ candidates, cost, condition, reasons }: PaidOtherwise): string => `
    WITH suspected AS MATERIALIZED (
      SELECT s.order_id FROM order_summary s
       CROSS JOIN LATERAL (
         SELECT (s.totals ->> 'current_order_total')::numeric - (s.totals ->> 'transaction_total')::numeric AS amount
       ) owes
       WHERE s.deleted_at IS NULL AND ${candidates}
         AND NOT EXISTS (SELECT 1 FROM order_summary later
                          WHERE later.order_id = s.order_id AND later.version > s.version AND later.deleted_at IS NULL)
    )
    SELECT DISTINCT ${IDS} FROM suspected
      JOIN "order" o ON o.id = suspected.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
      JOIN ${REQUESTS} r ON r.order_id = o.id AND r.state = 'captured' AND r.settled_at IS NOT NULL AND r.deleted_at IS NULL
     CROSS JOIN LATERAL (
       SELECT SUM(t.amount) AS kept, SUM(t.amount) FILTER (WHERE t.amount > 0) AS ever,
              MAX(t.created_at) FILTER (WHERE t.amount > 0) AS last_at
         FROM order_transaction t
        WHERE t.order_id = o.id AND lower(t.currency_code) = lower(o.currency_code) AND t.deleted_at IS NULL
     ) received
     CROSS JOIN LATERAL (
       SELECT ${cost}((s.totals ->> 'current_order_total')::numeric) AS amount FROM order_summary s
        WHERE s.order_id = o.id AND s.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM order_summary later
                           WHERE later.order_id = o.id AND later.version > s.version AND later.deleted_at IS NULL
                             AND later.created_at <= received.last_at - interval '10 minutes')
     ) cost
     WHERE ${condition} AND ${IS_AT_REST}
       AND (r.settled_at >= received.last_at OR received.last_at < now() - interval '10 minutes')
       AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} q
                        WHERE q.order_id = o.id AND q.deleted_at IS NULL AND ${IS_TOLD_AS("q", reasons)})`

/** A settle judges its own payment, and later ones of the order when their sum has grown. */
const order_overpaid = {
  name: "order_overpaid",
  message: "More was captured for the order than it cost at that time, and no case reported it.",
  sql: PAID_OTHERWISE({
    candidates: "owes.amount <= -0.01",
    cost: "MAX",
    condition: "received.kept > cost.amount + 0.01",
    reasons: "'order_overpaid', 'duplicate_payment', 'paid_on_canceled'",
  }),
  judge: (owed: string) => isMoreThan("0", owed),
}

/** The link of a cart is to pay all of its order. What was sent back later was paid. */
const order_underpaid = {
  name: "order_underpaid",
  message: "Less was captured for the order than it cost at that time, and no case reported it.",
  sql: PAID_OTHERWISE({
    candidates: "owes.amount >= 0.01",
    cost: "MIN",
    condition: "r.cart_id IS NOT NULL AND received.ever < cost.amount - 0.01",
    reasons: "'order_underpaid'",
  }),
  judge: (owed: string) => isMoreThan(owed, "0"),
}

/** The audit judges what a settle has seen of the order. Without a settle, the schedule has ten minutes for it. */
const case_sum_differs = {
  name: "case_sum_differs",
  message: "The case names another sum than the order owes, or than was captured too much for it.",
  sql: `
    SELECT ${IDS}, ${CLAIMED} AS claimed FROM ${REQUESTS} r
      JOIN "order" o ON o.id = r.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
     CROSS JOIN LATERAL (
       SELECT GREATEST((SELECT MAX(s.created_at) FROM order_summary s WHERE s.order_id = o.id),
                       (SELECT MAX(t.created_at) FROM order_transaction t WHERE t.order_id = o.id)) AS at
     ) changed
     WHERE ${IS_CASE_OF_SUM} AND r.deleted_at IS NULL AND ${IS_AT_REST}
       AND (changed.at <= r.updated_at OR changed.at < now() - interval '10 minutes')`,
  judge: (owed: string, claimed: string) => !amountsEqual(owed, claimed),
}

/** I5: captures, refunds, payment collections, order transactions and registered refunds agree. */
export const RULES_OF_SUMS: Rule[] = [
  collection_sums_differ,
  order_sums_differ,
  refund_sums_differ,
  order_overpaid,
  order_underpaid,
  case_sum_differs,
]
