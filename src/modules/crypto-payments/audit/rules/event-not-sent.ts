import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** The schedule sends what waits for thirty seconds. */
export const eventNotSent: AuditRule = {
  name: "event_not_sent",
  invariant: "I6",
  message: "An event of the payment is written down and was not sent.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.announce_at < now() - interval '5 minutes' AND r.deleted_at IS NULL`,
}
