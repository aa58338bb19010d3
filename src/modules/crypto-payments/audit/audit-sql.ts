import { IS_FREE, ORDER_OF_REQUEST, REGISTERED_REFUND, REQUESTS } from "../payment-requests/request-sql"

/**
 * What several rules ask of a row `r` of `crypto_payment_request`.
 *
 * A store settles while it is audited. A row that a settle holds, or that is about to be looked at, is left to that settle:
 * the rules below judge rows at rest. A row that is never at rest is found by its age.
 */

/** Nobody works on the row, and nobody will within minutes. Overdue by ten minutes means that no schedule runs. */
export const IS_AT_REST = `(${IS_FREE} AND (r.next_check_at IS NULL
  OR r.next_check_at NOT BETWEEN now() - interval '10 minutes' AND now() + interval '10 minutes'))`

/** The row is looked at again and again, and has been for longer than the retry ladder needs to open a case. */
export const IS_TRIED_IN_VAIN = "(r.last_checked_at > r.paid_at + interval '1 hour')"

/** A case tells that the money has no order. It may be open, or closed by a person. */
export const HAS_CASE_OF_MONEY = `COALESCE(r.attention_reason IN
  ('paid_without_order', 'orphan_paid', 'duplicate_payment', 'paid_on_canceled', 'amount_mismatch'), false)`

/** All that was received is registered as sent back. */
export const IS_SENT_BACK = `(r.state = 'refunded'
  OR (r.refund_registered_at IS NOT NULL AND ${REGISTERED_REFUND} >= round(r.gateway_amount::numeric, 2)))`

/** Medusa has a capture for the row. */
export const IS_CAPTURED = `EXISTS (
  SELECT 1 FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
   WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL)`

/** The order that was placed for the row, as `placed` with its id and whether it is cancelled. */
export const PLACED_ORDER = `
  SELECT o.id, o.canceled_at IS NOT NULL OR o.status = 'canceled' AS is_canceled
    FROM "order" o WHERE o.id = ${ORDER_OF_REQUEST} AND o.deleted_at IS NULL`

/** A payment `p` that one of our providers made. */
export const IS_CRYPTO_PAYMENT = "p.provider_id LIKE 'pp\\_crypto\\_%'"

/** The ids of one finding: of the row, and of its order. */
export const IDS = "ARRAY[r.id] AS request_ids, array_remove(ARRAY[r.order_id], NULL) AS order_ids"

/**
 * Rows whose order has more, or less, of the capture in its transactions than was captured. What is suspected is found
 * by joins over everything, and looked at one by one.
 *
 * @param comparison of what is booked with what was captured
 */
export const BOOKED_OTHERWISE = (comparison: "<" | ">"): string => `
    WITH booked AS (
      SELECT t.reference_id, SUM(t.amount) AS amount, MIN(t.order_id) AS least, MAX(t.order_id) AS most
        FROM order_transaction t WHERE t.reference = 'capture' AND t.deleted_at IS NULL GROUP BY t.reference_id
    ), suspected AS MATERIALIZED (
      SELECT DISTINCT r.id
        FROM ${REQUESTS} r
        JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
        JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
        LEFT JOIN booked ON booked.reference_id = cap.id
       WHERE r.deleted_at IS NULL
         AND (booked.amount IS NULL OR round(booked.amount, 2) <> round(cap.amount, 2)
              OR booked.least <> booked.most OR booked.least IS DISTINCT FROM r.order_id)
    )
    SELECT ${IDS} FROM suspected JOIN ${REQUESTS} r ON r.id = suspected.id
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     CROSS JOIN LATERAL (
       SELECT SUM(cap.amount) AS captured,
              SUM((SELECT COALESCE(SUM(t.amount), 0) FROM order_transaction t
                    WHERE t.order_id = placed.id AND t.reference = 'capture' AND t.reference_id = cap.id
                      AND t.deleted_at IS NULL)) AS booked
         FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
        WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
     ) sums
     WHERE NOT ${HAS_CASE_OF_MONEY} AND ${IS_AT_REST} AND round(sums.booked, 2) ${comparison} round(sums.captured, 2)`
