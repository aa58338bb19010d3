import type { AuditRule } from "../audit-rule"
import { REQUESTS } from "../../payment-requests/request-sql"
import { IDS } from "../audit-sql"

/** E-mails and fulfilment begin with order.placed. The schedule sends it again until our own subscriber hears it. */
export const orderNotAnnounced: AuditRule = {
  name: "order_not_announced",
  invariant: "I6",
  message: "The order is paid, and its order.placed was not heard.",
  sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.order_announced_at IS NULL AND r.cart_id IS NOT NULL AND (r.state = 'captured' OR r.state = 'refunded' AND r.order_id IS NOT NULL)
       AND r.settled_at < now() - interval '5 minutes' AND r.deleted_at IS NULL
       AND EXISTS (SELECT 1 FROM order_cart oc
                     JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL AND o.canceled_at IS NULL
                    WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} q
                        WHERE q.cart_id = r.cart_id AND q.order_announced_at IS NOT NULL AND q.deleted_at IS NULL)`,
}
