import { REQUESTS, STRAY } from "../../payment-requests/request-sql"
import { IS_TOLD_AS, type Rule } from "../rule"

/** Two gateways may use the same id. A common address or session shows that it is one payment. */
export const payment_recorded_twice: Rule = {
  invariant: "I7",
  message: "One payment of the gateway is recorded more than once.",
  sql: `
    WITH repeated AS (
      SELECT r.payment_request_id FROM ${REQUESTS} r
       WHERE r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL
       GROUP BY r.payment_request_id HAVING count(*) > 1
    ), recorded AS (
      SELECT r.*, ARRAY(SELECT regexp_replace(s, '^${STRAY}', '') FROM unnest(r.session_ids) s) AS sessions
        FROM ${REQUESTS} r JOIN repeated USING (payment_request_id) WHERE r.deleted_at IS NULL
    )
    SELECT ARRAY[a.id, b.id] AS request_ids, array_remove(ARRAY[a.order_id, b.order_id], NULL) AS order_ids
      FROM recorded a
      JOIN recorded b ON b.payment_request_id = a.payment_request_id AND b.id > a.id
       AND ((b.provider_id, b.gateway_origin) = (a.provider_id, a.gateway_origin) OR b.sessions && a.sessions)
     WHERE NOT ${IS_TOLD_AS("a", "'duplicate_payment'")} AND NOT ${IS_TOLD_AS("b", "'duplicate_payment'")}`,
}
