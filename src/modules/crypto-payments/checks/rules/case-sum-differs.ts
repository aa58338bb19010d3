import { amountsEqual } from "../../../../decision"
import { IS_CANCELED, IS_CASE_OF_SUM, REQUESTS } from "../../payment-requests/request-sql"
import { IDS, IS_AT_REST, type Rule } from "../rule"
import { CASES_OF_SUM } from "../windows"

const CLAIMED = `(r.attention_amount::numeric * CASE r.attention_reason WHEN 'order_underpaid' THEN 1 ELSE -1 END)::text`

/** The audit judges what a settle has seen of the order. Without a settle, the schedule has ten minutes for it. */
export const case_sum_differs: Rule = {
  invariant: "I5",
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
  judge: (owed, claimed) => !amountsEqual(owed, claimed),
  settles: { in: [CASES_OF_SUM], when: "true", claimed: CLAIMED },
}
