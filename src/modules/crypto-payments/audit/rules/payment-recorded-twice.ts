import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"

/** Two gateways may use the same id. A session in common tells that it is one payment, whatever its accounts are called. */
export const paymentRecordedTwice: AuditRule = {
  name: "payment_recorded_twice",
  invariant: "I7",
  message: "One payment of the gateway is recorded more than once.",
  sql: `
    WITH repeated AS (
      SELECT r.payment_request_id FROM ${REQUESTS} r
       WHERE r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL
       GROUP BY r.payment_request_id HAVING count(*) > 1
    ), recorded AS (
      SELECT r.*, ARRAY(SELECT regexp_replace(s, '^stray:', '') FROM unnest(r.session_ids) s) AS sessions
        FROM ${REQUESTS} r JOIN repeated USING (payment_request_id) WHERE r.deleted_at IS NULL
    )
    SELECT ARRAY[a.id, b.id] AS request_ids, array_remove(ARRAY[a.order_id, b.order_id], NULL) AS order_ids
      FROM recorded a
      JOIN recorded b ON b.payment_request_id = a.payment_request_id AND b.id > a.id
       AND (b.gateway_account = a.gateway_account OR b.sessions && a.sessions)
     WHERE 'duplicate_payment' NOT IN (COALESCE(a.attention_reason, ''), COALESCE(b.attention_reason, ''))`,
}
