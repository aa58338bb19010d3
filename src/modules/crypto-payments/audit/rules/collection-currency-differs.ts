import type { AuditRule } from "../audit-rule"
import { IDS, IS_AT_REST } from "../audit-sql"
import { REQUESTS } from "../../payment-requests/request-sql"

/** A switch of the cart's region that is refused because its link is paid leaves the collection in the new currency. */
export const collectionCurrencyDiffers: AuditRule = {
  name: "collection_currency_differs",
  invariant: "I5",
  message: "The payment collection is in another currency than its captured payment.",
  sql: `
    SELECT ${IDS}
      FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN payment_collection pc ON pc.id = p.payment_collection_id AND pc.deleted_at IS NULL
     WHERE pc.currency_code <> p.currency_code AND r.deleted_at IS NULL AND ${IS_AT_REST}
       AND EXISTS (SELECT 1 FROM capture cap WHERE cap.payment_id = p.id AND cap.deleted_at IS NULL)`,
}
