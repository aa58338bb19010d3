import { REQUESTS } from "../../payment-requests/request-sql"
import type { Rule } from "../rule"

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
export const order_sums_differ: Rule = {
  invariant: "I5",
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
