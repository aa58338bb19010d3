import { IS_FINAL, REQUESTS, UNBOUND } from "../../payment-requests/request-sql"
import {
  IDS,
  IS_AT_REST,
  IS_CAPTURED,
  IS_EXPLAINED,
  IS_NOT_HELD,
  IS_TOLD_AS,
  IS_TOLD_OF_MONEY,
  type AuditRules,
} from "../rule"

export const PAYMENT_REQUEST_RULES: AuditRules = {
  /** Unique indexes refuse it. Only SQL can cause it, or missing indexes. */
  session_paid_twice: {
    invariant: "I1",
    message: "Two crypto payments are bound to one payment session.",
    sql: `
    SELECT array_agg(r.id ORDER BY r.id) AS request_ids, array_remove(array_agg(DISTINCT r.order_id), NULL) AS order_ids
      FROM ${REQUESTS} r
      JOIN (
        SELECT r.paid_session_id AS session_id FROM ${REQUESTS} r
         WHERE r.paid_session_id IS NOT NULL AND r.deleted_at IS NULL
         GROUP BY r.paid_session_id HAVING count(*) > 1
         UNION
        SELECT r.session_id FROM ${REQUESTS} r
         WHERE r.state <> 'closed' AND r.session_id = ANY (r.session_ids) AND r.deleted_at IS NULL
         GROUP BY r.session_id HAVING count(*) > 1
      ) twice ON twice.session_id IN (r.paid_session_id, r.session_id)
     WHERE r.deleted_at IS NULL
     GROUP BY twice.session_id`,
  },
  /** Two gateways may use the same id. A common session shows that it is one payment. */
  payment_recorded_twice: {
    invariant: "I7",
    message: "One payment of the gateway is recorded more than once.",
    sql: `
    WITH repeated AS (
      SELECT r.payment_request_id FROM ${REQUESTS} r
       WHERE r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL
       GROUP BY r.payment_request_id HAVING count(*) > 1
    ), recorded AS (
      SELECT r.*, ARRAY(SELECT regexp_replace(s, '^${UNBOUND}', '') FROM unnest(r.session_ids) s) AS sessions
        FROM ${REQUESTS} r JOIN repeated USING (payment_request_id) WHERE r.deleted_at IS NULL
    )
    SELECT ARRAY[a.id, b.id] AS request_ids, array_remove(ARRAY[a.order_id, b.order_id], NULL) AS order_ids
      FROM recorded a
      JOIN recorded b ON b.payment_request_id = a.payment_request_id AND b.id > a.id
       AND (b.gateway_account = a.gateway_account OR b.sessions && a.sessions)
     WHERE NOT ${IS_TOLD_AS("a", "'duplicate_payment'")} AND NOT ${IS_TOLD_AS("b", "'duplicate_payment'")}`,
  },
  /**
   * A link can be paid for ever, and without checks only a notification would report it. Two checks of an old link are
   * at most 30 days apart. A lease that is no settle's keeps the schedule from checking.
   */
  link_not_watched: {
    invariant: "I2",
    message: "A payment link that was given out is not checked any more.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.state IN ('open', 'superseded') AND r.deleted_at IS NULL AND ${IS_NOT_HELD}
       AND (r.next_check_at IS NULL OR r.next_check_at > now() + interval '45 days' OR r.lease_until > now())`,
  },
  not_settled: {
    invariant: "I2",
    message: "The payment is captured, but nothing finishes it: it has no case and no next check.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.paid_at IS NOT NULL AND r.settled_at IS NULL AND r.deleted_at IS NULL
       AND NOT ${IS_EXPLAINED} AND r.state <> 'refunded'
       AND ${IS_AT_REST}
       AND ${IS_CAPTURED}`,
  },
  /** The schedule sends events that have waited for thirty seconds. */
  event_not_sent: {
    invariant: "I6",
    message: "An event of the payment is recorded, but was not sent.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.announce_at < now() - interval '5 minutes' AND r.deleted_at IS NULL`,
  },
  /**
   * One finding per provider, because none of its unfinished payments can be read, verified or refunded. At most a
   * hundred ids each. Money that an admin user has dealt with is finished, unless a refund of it waits to be booked.
   */
  provider_missing: {
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
  },
}
