import { IS_FINAL, REQUESTS } from "../../payment-requests/request-sql"
import { IS_TOLD_OF_MONEY, type Rule } from "../rule"

/**
 * One finding per provider, because none of its unfinished payments can be read, verified or refunded. At most a
 * hundred ids each. Money that an admin user has dealt with is finished, unless a refund of it waits to be booked.
 */
export const provider_missing: Rule = {
  invariant: "I2",
  message: "Payments belong to a provider that medusa-config does not register.",
  sql: `
    SELECT (array_agg(r.id ORDER BY r.created_at DESC))[1:100] AS request_ids,
           (array_remove(array_agg(DISTINCT r.order_id), NULL))[1:100] AS order_ids,
           r.provider_id
      FROM ${REQUESTS} r
     WHERE r.deleted_at IS NULL AND r.provider_id <> ALL (:registered)
       AND ((NOT (${IS_TOLD_OF_MONEY} AND r.attention_resolved_at IS NOT NULL)
             AND (r.payment_request_id IS NOT NULL AND r.next_check_at IS NOT NULL
                  OR r.paid_at IS NOT NULL AND NOT ${IS_FINAL}))
            OR EXISTS (SELECT 1 FROM crypto_payment_refund f
                        WHERE f.request_id = r.id AND f.state = 'registered' AND f.deleted_at IS NULL))
     GROUP BY r.provider_id`,
}
