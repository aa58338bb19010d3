import type { AuditRule } from "../audit-rule"
import { IS_REGISTERED } from "../../refunds/refund-store"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IS_CRYPTO_PAYMENT } from "../audit-sql"

/** The gateway cannot refund, so only a registration tells that money was sent back. Core writes a refund before it asks. */
export const refundNotRegistered: AuditRule = {
  name: "refund_not_registered",
  invariant: "I5",
  message: "Medusa has a refund of the payment that nobody registered.",
  sql: `
    SELECT COALESCE((SELECT array_agg(r.id) FROM ${REQUESTS} r
                      WHERE r.paid_session_id = p.payment_session_id AND r.deleted_at IS NULL), '{}') AS request_ids,
           COALESCE((SELECT array_agg(opc.order_id) FROM order_payment_collection opc
                      WHERE opc.payment_collection_id = p.payment_collection_id AND opc.deleted_at IS NULL), '{}') AS order_ids
      FROM refund ref JOIN payment p ON p.id = ref.payment_id AND p.deleted_at IS NULL
     WHERE ref.deleted_at IS NULL AND ref.created_at < now() - interval '1 minute' AND ${IS_CRYPTO_PAYMENT} AND NOT ${IS_REGISTERED}`,
}
