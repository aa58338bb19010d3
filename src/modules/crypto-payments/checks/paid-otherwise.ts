import { IS_CANCELED, REQUESTS } from "../payment-requests/request-sql"
import { IDS, IS_AT_REST, IS_TOLD_AS } from "./rule"

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
export const PAID_OTHERWISE = ({ candidates, cost, condition, reasons }: PaidOtherwise): string => `
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
