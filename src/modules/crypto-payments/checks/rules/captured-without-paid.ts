import { REQUESTS } from "../../payment-requests/request-sql"
import { CAPTURES, IS_CRYPTO_PAYMENT, ORDERS_OF_COLLECTION, type Rule } from "../rule"

/** PAID is recorded before core captures, with the gateway's status word, and neither changes after that. */
export const captured_without_paid: Rule = {
  invariant: "I3",
  message: "Medusa captured a crypto payment that the gateway did not report as PAID.",
  sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE found.session_id IN (r.paid_session_id, r.session_id) AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ${ORDERS_OF_COLLECTION("found.collection_id")} AS order_ids
      FROM (
        SELECT DISTINCT p.payment_session_id AS session_id, p.payment_collection_id AS collection_id
          FROM ${CAPTURES}
         WHERE ${IS_CRYPTO_PAYMENT}
           AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                            WHERE r.paid_session_id = p.payment_session_id AND r.paid_at IS NOT NULL
                              AND COALESCE(r.gateway_status, 'PAID') = 'PAID' AND r.deleted_at IS NULL)
      ) found`,
}
