import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { HAS_CASE_OF_MONEY, IDS, IS_AT_REST, IS_CAPTURED, IS_SENT_BACK, PLACED_ORDER } from "../audit-sql"

/**
 * Deleting a draft order is refused while its payment is not sent back. A script or SQL is not asked. Core deletes the
 * payment with the draft order, so that Medusa itself knows nothing of the money any more.
 */
export const orderDeleted: AuditRule = {
  name: "order_deleted",
  invariant: "I4",
  message: "The order was deleted, its payment is not registered as sent back, and there is no case.",
  sql: `
    WITH suspected AS MATERIALIZED (
      SELECT r.* FROM ${REQUESTS} r LEFT JOIN "order" o ON o.id = r.order_id AND o.deleted_at IS NULL
       WHERE r.paid_at IS NOT NULL AND r.order_id IS NOT NULL AND r.deleted_at IS NULL AND o.id IS NULL
    )
    SELECT ${IDS} FROM suspected r
     WHERE NOT EXISTS (${PLACED_ORDER}) AND NOT ${HAS_CASE_OF_MONEY} AND ${IS_AT_REST}
       AND (r.captured_at IS NOT NULL OR ${IS_CAPTURED}) AND NOT ${IS_SENT_BACK}`,
}
