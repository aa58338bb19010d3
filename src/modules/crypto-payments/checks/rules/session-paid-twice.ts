import { REQUESTS } from "../../payment-requests/request-sql"
import type { Rule } from "../rule"

/** Unique indexes refuse it. Only SQL can cause it, or missing indexes. */
export const session_paid_twice: Rule = {
  invariant: "I1",
  message: "Two crypto payments are bound to one payment session.",
  sql: `
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, array_remove(array_agg(DISTINCT r.order_id), NULL) AS order_ids
      FROM ${REQUESTS} r
      JOIN (
        SELECT r.paid_session_id AS session_id FROM ${REQUESTS} r
         WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
         GROUP BY r.paid_session_id HAVING count(*) > 1
         UNION
        SELECT r.session_id FROM ${REQUESTS} r
         WHERE r.state <> 'closed' AND r.session_id = ANY (r.session_ids) AND r.deleted_at IS NULL
         GROUP BY r.session_id HAVING count(*) > 1
      ) twice ON twice.session_id IN (r.paid_session_id, r.session_id)
     WHERE r.deleted_at IS NULL
     GROUP BY twice.session_id`,
}
