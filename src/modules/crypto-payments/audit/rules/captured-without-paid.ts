import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IS_CRYPTO_PAYMENT } from "../audit-sql"

/** PAID is written down before core is told to capture. */
export const capturedWithoutPaid: AuditRule = {
  name: "captured_without_paid",
  invariant: "I3",
  message: "Medusa captured a crypto payment that the gateway did not report as PAID.",
  sql: `
    SELECT COALESCE((SELECT array_agg(r.id) FROM ${REQUESTS} r
                      WHERE (r.paid_session_id = found.session_id OR r.session_id = found.session_id)
                        AND r.deleted_at IS NULL), '{}') AS request_ids,
           COALESCE((SELECT array_agg(opc.order_id) FROM order_payment_collection opc
                      WHERE opc.payment_collection_id = found.collection_id AND opc.deleted_at IS NULL), '{}') AS order_ids
      FROM (
        SELECT DISTINCT p.payment_session_id AS session_id, p.payment_collection_id AS collection_id
          FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
         WHERE ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                            WHERE r.paid_session_id = p.payment_session_id AND r.paid_at IS NOT NULL
                              AND r.deleted_at IS NULL)
      ) found`,
}
