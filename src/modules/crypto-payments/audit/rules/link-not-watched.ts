import type { AuditRule } from "../audit-rule"
import { IS_FREE, REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** A link stays payable for ever, so a payment of it would only be seen if the gateway's notification arrives. */
export const linkNotWatched: AuditRule = {
  name: "link_not_watched",
  invariant: "I2",
  message: "A payment link that was given out is not looked at any more.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.state IN ('open', 'superseded') AND r.next_check_at IS NULL AND r.attention_reason IS NULL
       AND r.deleted_at IS NULL AND ${IS_FREE}`,
}
