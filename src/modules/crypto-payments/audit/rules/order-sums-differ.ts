import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"

/** The summary of the order's latest version is what the admin shows. */
export const orderSumsDiffer: AuditRule = {
  name: "order_sums_differ",
  invariant: "I5",
  message: "The order's paid total differs from its transactions.",
  sql: `
    WITH booked AS (
      SELECT t.order_id, SUM(t.amount) AS total FROM order_transaction t WHERE t.deleted_at IS NULL GROUP BY t.order_id
    ), suspected AS MATERIALIZED (
      SELECT os.order_id, os.version FROM order_summary os LEFT JOIN booked ON booked.order_id = os.order_id
       WHERE os.deleted_at IS NULL
         AND round((os.totals ->> 'transaction_total')::numeric, 2) <> round(COALESCE(booked.total, 0), 2)
    )
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, ARRAY[r.order_id] AS order_ids
      FROM suspected
      JOIN ${REQUESTS} r ON r.order_id = suspected.order_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM order_summary later
                        WHERE later.order_id = suspected.order_id AND later.version > suspected.version
                          AND later.deleted_at IS NULL)
     GROUP BY r.order_id`,
}
