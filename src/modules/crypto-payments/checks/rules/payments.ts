import { REQUESTS } from "../../payment-requests/request-sql"
import {
  CAPTURED_SUM,
  CAPTURES,
  IS_AT_REST,
  IS_CAPTURED,
  IS_CRYPTO_PAYMENT,
  IS_EXPLAINED,
  IS_NOT_HELD,
  IS_SENT_BACK,
  REQUESTS_WHERE,
  type Rule,
} from "../rule"

/** Two checks of an old link are at most 30 days apart. */
export const IS_NOT_DUE = "(r.next_check_at IS NULL OR r.next_check_at > now() + interval '45 days')"

/**
 * A link can be paid for ever, and without checks only a notification would report it. A lease that is no settle's
 * keeps the schedule from checking.
 */
const link_not_watched = {
  name: "link_not_watched",
  message: "A payment link that was given out is not checked any more.",
  sql: REQUESTS_WHERE(
    "r.state IN ('open', 'superseded')",
    IS_NOT_HELD,
    `(${IS_NOT_DUE} OR r.lease_until > now())`
  ),
}

/** Core deletes the payment together with a draft order: this finds it too. */
const paid_without_capture = {
  name: "paid_without_capture",
  message:
    "The gateway reported PAID, and there is neither a captured payment, nor a full refund, nor a case.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL",
    `NOT ${IS_EXPLAINED}`,
    IS_AT_REST,
    `NOT ${IS_CAPTURED}`,
    `NOT ${IS_SENT_BACK}`
  ),
}

const not_settled = {
  name: "not_settled",
  message: "The payment is captured, but nothing finishes it: it has no case and no next check.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL AND r.settled_at IS NULL AND r.state <> 'refunded'",
    `NOT ${IS_EXPLAINED}`,
    IS_AT_REST,
    IS_CAPTURED
  ),
}

/** What was captured is what the link asked for and the gateway received. */
const captured_otherwise = {
  name: "captured_otherwise",
  message: "The payment is captured twice, or with another amount, currency or payment collection.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL",
    `(${CAPTURED_SUM} <> round(r.gateway_amount::numeric, 2) OR ${CAPTURED_SUM} <> round(r.amount::numeric, 2)
      OR EXISTS (
        SELECT 1 FROM ${CAPTURES}
         WHERE p.payment_session_id = r.paid_session_id
           AND (lower(p.currency_code) <> lower(r.gateway_currency_symbol)
                OR lower(p.currency_code) <> lower(r.currency_code)
                OR p.payment_collection_id IS DISTINCT FROM r.payment_collection_id)))`
  ),
}

/** PAID is recorded before core captures, with the gateway's status word, and neither changes after that. */
const captured_without_paid = {
  name: "captured_without_paid",
  message: "Medusa captured a crypto payment that the gateway did not report as PAID.",
  sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE found.session_id IN (r.paid_session_id, r.session_id) AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ARRAY(SELECT opc.order_id FROM order_payment_collection opc
                  WHERE opc.payment_collection_id = found.collection_id AND opc.deleted_at IS NULL ORDER BY 1) AS order_ids
      FROM (
        SELECT DISTINCT p.payment_session_id AS session_id, p.payment_collection_id AS collection_id
          FROM ${CAPTURES}
         WHERE ${IS_CRYPTO_PAYMENT}
           AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                            WHERE r.paid_session_id = p.payment_session_id AND r.paid_at IS NOT NULL
                              AND COALESCE(r.gateway_status, 'PAID') = 'PAID' AND r.deleted_at IS NULL)
      ) found`,
}

/** I2: a payment is captured once, refunded or a case. I3: a capture is of a payment that was reported PAID. */
export const RULES_OF_PAYMENTS: Rule[] = [
  link_not_watched,
  paid_without_capture,
  not_settled,
  captured_otherwise,
  captured_without_paid,
]
