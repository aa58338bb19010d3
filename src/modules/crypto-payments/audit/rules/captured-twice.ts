import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS, IS_CRYPTO_PAYMENT } from "../audit-sql"

/** The gateway takes the whole amount at once, so there is exactly one capture. */
export const capturedTwice: AuditRule = {
  name: "captured_twice",
  invariant: "I2",
  message: "Medusa has more than one capture of the payment.",
  sql: `
    SELECT ${IDS}
      FROM (
        SELECT p.payment_session_id FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
         WHERE ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL
         GROUP BY p.payment_session_id HAVING count(*) > 1
      ) twice
      JOIN ${REQUESTS} r ON r.paid_session_id = twice.payment_session_id AND r.deleted_at IS NULL`,
}
