import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** Each capture is compared by itself. Two captures are another rule's finding. */
export const capturedOtherwise: AuditRule = {
  name: "captured_otherwise",
  invariant: "I3",
  message: "The capture has another amount, currency or payment collection than the payment.",
  sql: `
    SELECT DISTINCT ${IDS}
      FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
     WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL
       AND (round(cap.amount, 2) <> round(r.gateway_amount::numeric, 2)
            OR lower(p.currency_code) <> lower(r.gateway_currency_symbol)
            OR p.payment_collection_id IS DISTINCT FROM r.payment_collection_id)`,
}
