import { IS_CANCELED, IS_REGISTERED, ORDER_IS_DELETED, REQUESTS } from "../../payment-requests/request-sql"
import {
  CAPTURES,
  IDS,
  IS_AT_REST,
  IS_CAPTURED,
  IS_CRYPTO_PAYMENT,
  IS_EXPLAINED,
  IS_NOT_HELD,
  IS_SENT_BACK,
  IS_TOLD_AS,
  IS_TOLD_OF_MONEY,
  ORDERS_OF_COLLECTION,
  PLACED_ORDER,
  type AuditRules,
} from "../rule"

/** The money was sent back before the order was `placed`: another payment of the cart paid for the order. */
const IS_SENT_BACK_BEFORE = `(${IS_SENT_BACK} AND COALESCE(r.refund_registered_at < placed.created_at, false)
  AND NOT EXISTS (SELECT 1 FROM ${CAPTURES}
                    JOIN order_transaction t ON t.reference_id = cap.id AND t.deleted_at IS NULL
                   WHERE p.payment_session_id = r.paid_session_id AND t.order_id = placed.id))`
const IS_ON_LIVE_ORDER = `EXISTS (
  SELECT 1 FROM "order" o WHERE o.id = t.order_id AND o.deleted_at IS NULL AND NOT ${IS_CANCELED})`

/**
 * Rows whose order has more or less of the capture in its transactions than was captured. Joins find the candidates,
 * which are then checked one by one. Whole rows are kept of them: Postgres expects far more candidates than there are,
 * and if it had to join them with their rows it would check every row of the table first.
 *
 * @param comparison of `sums`: what was captured, what its own order has, and what all orders have
 */
const BOOKED_OTHERWISE = (comparison: string): string => `
    WITH booked AS (
      SELECT t.reference_id, SUM(t.amount) AS amount, MIN(t.order_id) AS least, MAX(t.order_id) AS most
        FROM order_transaction t WHERE t.reference = 'capture' AND t.deleted_at IS NULL GROUP BY t.reference_id
    ), suspected AS MATERIALIZED (
      SELECT DISTINCT ON (r.id) r.*
        FROM ${REQUESTS} r
        JOIN (${CAPTURES}) ON p.payment_session_id = r.paid_session_id
        LEFT JOIN booked ON booked.reference_id = cap.id
       WHERE r.deleted_at IS NULL
         AND (booked.amount IS NULL OR round(booked.amount, 2) <> round(cap.amount, 2)
              OR booked.least <> booked.most OR booked.least IS DISTINCT FROM r.order_id)
    )
    SELECT ARRAY[r.id] AS request_ids,
           ARRAY(SELECT r.order_id WHERE r.order_id IS NOT NULL UNION SELECT unnest(sums.others) ORDER BY 1) AS order_ids
      FROM suspected r
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     CROSS JOIN LATERAL (
       SELECT (SELECT round(SUM(cap.amount), 2) FROM ${CAPTURES}
                WHERE p.payment_session_id = r.paid_session_id) AS captured,
              round(COALESCE(SUM(t.amount) FILTER (WHERE t.order_id = placed.id), 0), 2) AS own,
              round(COALESCE(SUM(t.amount) FILTER (
                WHERE t.order_id = placed.id OR ${IS_ON_LIVE_ORDER}), 0), 2) AS anywhere,
              array_agg(DISTINCT t.order_id) FILTER (WHERE ${IS_ON_LIVE_ORDER}) AS others
         FROM ${CAPTURES}
         JOIN order_transaction t ON t.reference = 'capture' AND t.reference_id = cap.id AND t.deleted_at IS NULL
        WHERE p.payment_session_id = r.paid_session_id
     ) sums
     WHERE NOT ${IS_TOLD_OF_MONEY} AND ${IS_AT_REST} AND ${comparison}`

const SUMS_OF = (table: "capture" | "refund"): string => `
  SELECT p.payment_collection_id, SUM(made.amount) AS amount
    FROM payment p JOIN ${table} made ON made.payment_id = p.id AND made.deleted_at IS NULL
   WHERE p.deleted_at IS NULL GROUP BY p.payment_collection_id`

export const CAPTURE_AND_REFUND_RULES: AuditRules = {
  /** Core deletes the payment together with a draft order: `order_deleted` finds that. */
  paid_without_capture: {
    invariant: "I2",
    message:
      "The gateway reported PAID, and there is neither a captured payment, nor a full refund, nor a case.",
    sql: `
    SELECT ${IDS} FROM ${REQUESTS} r
     WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL
       AND NOT ${IS_EXPLAINED}
       AND ${IS_AT_REST}
       AND NOT ${IS_CAPTURED} AND NOT ${IS_SENT_BACK} AND NOT (r.captured_at IS NOT NULL AND ${ORDER_IS_DELETED})`,
  },
  /** PAID is recorded before core captures, with the gateway's status word, and neither changes after that. */
  captured_without_paid: {
    invariant: "I3",
    message: "Medusa captured a crypto payment that the gateway did not report as PAID.",
    sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE found.session_id IN (r.paid_session_id, r.session_id) AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ${ORDERS_OF_COLLECTION("found.collection_id")} AS order_ids
      FROM (
        SELECT DISTINCT p.payment_session_id AS session_id, p.payment_collection_id AS collection_id
          FROM ${CAPTURES}
         WHERE ${IS_CRYPTO_PAYMENT}
           AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                            WHERE r.paid_session_id = p.payment_session_id AND r.paid_at IS NOT NULL
                              AND COALESCE(r.gateway_status, 'PAID') = 'PAID' AND r.deleted_at IS NULL)
      ) found`,
  },
  /** The capture is what the link asked for and the gateway received. Several captures are another rule's finding. */
  captured_otherwise: {
    invariant: "I3",
    message: "The capture has another amount, currency or payment collection than the payment.",
    sql: `
    SELECT DISTINCT ${IDS}
      FROM ${REQUESTS} r
      JOIN (${CAPTURES}) ON p.payment_session_id = r.paid_session_id
     WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL
       AND (round(cap.amount, 2) <> round(r.gateway_amount::numeric, 2)
            OR round(cap.amount, 2) <> round(r.amount::numeric, 2)
            OR lower(p.currency_code) <> lower(r.gateway_currency_symbol)
            OR lower(p.currency_code) <> lower(r.currency_code)
            OR p.payment_collection_id IS DISTINCT FROM r.payment_collection_id)`,
  },
  captured_twice: {
    invariant: "I2",
    message: "Medusa has more than one capture of the payment.",
    sql: `
    SELECT ${IDS}
      FROM (
        SELECT p.payment_session_id FROM ${CAPTURES}
         WHERE ${IS_CRYPTO_PAYMENT}
         GROUP BY p.payment_session_id HAVING count(*) > 1
      ) twice
      JOIN ${REQUESTS} r ON r.paid_session_id = twice.payment_session_id AND r.deleted_at IS NULL`,
  },
  /** When Redis loses the cart's lock, two processes can book one capture. A booking on another order is a script's. */
  capture_booked_twice: {
    invariant: "I5",
    message: "The transactions of the order, or of two orders, have more of the capture than was captured.",
    sql: BOOKED_OTHERWISE("(sums.own > sums.captured OR sums.anywhere > sums.captured)"),
  },
  capture_not_booked: {
    invariant: "I4",
    message: "The payment is captured, and its order does not have it in its transactions.",
    sql: BOOKED_OTHERWISE(`sums.own < sums.captured AND NOT ${IS_SENT_BACK_BEFORE}`),
  },
  /** A refused change of the cart's region, because the link is paid, leaves the collection in the new currency. */
  collection_currency_differs: {
    invariant: "I5",
    message: "The payment collection is in another currency than its captured payment.",
    sql: `
    SELECT ${IDS}
      FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN payment_collection pc ON pc.id = p.payment_collection_id AND pc.deleted_at IS NULL
     WHERE pc.currency_code <> p.currency_code AND r.deleted_at IS NULL AND ${IS_AT_REST}
       AND EXISTS (SELECT 1 FROM capture cap WHERE cap.payment_id = p.id AND cap.deleted_at IS NULL)
       AND NOT ${IS_SENT_BACK} AND NOT ${IS_TOLD_AS("r", "'amount_mismatch'")}`,
  },
  /** Core writes these sums last, so a process that ends early does not update them. */
  collection_sums_differ: {
    invariant: "I5",
    message: "The payment collection's sums differ from its captures and refunds.",
    sql: `
    WITH captured AS (${SUMS_OF("capture")}), refunded AS (${SUMS_OF("refund")}), suspected AS MATERIALIZED (
      SELECT pc.id FROM payment_collection pc
        LEFT JOIN captured ON captured.payment_collection_id = pc.id
        LEFT JOIN refunded ON refunded.payment_collection_id = pc.id
       WHERE pc.deleted_at IS NULL
         AND (round(COALESCE(pc.captured_amount, 0), 2) <> round(COALESCE(captured.amount, 0), 2)
              OR round(COALESCE(pc.refunded_amount, 0), 2) <> round(COALESCE(refunded.amount, 0), 2))
    )
    SELECT COALESCE(array_agg(DISTINCT r.id) FILTER (WHERE r.id IS NOT NULL), '{}') AS request_ids,
           COALESCE(array_agg(DISTINCT opc.order_id) FILTER (WHERE opc.order_id IS NOT NULL), '{}') AS order_ids
      FROM suspected
      LEFT JOIN ${REQUESTS} r ON r.payment_collection_id = suspected.id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
      LEFT JOIN order_payment_collection opc ON opc.payment_collection_id = suspected.id AND opc.deleted_at IS NULL
     WHERE EXISTS (SELECT 1 FROM payment p
                    WHERE p.payment_collection_id = suspected.id AND ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL)
     GROUP BY suspected.id HAVING bool_and(r.id IS NULL OR ${IS_NOT_HELD})`,
  },
  /** Only a registration shows that money was sent back. Core writes a refund before it asks the provider. */
  refund_not_registered: {
    invariant: "I5",
    message: "Medusa has a refund of the payment that nobody registered.",
    sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE r.paid_session_id = p.payment_session_id AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ${ORDERS_OF_COLLECTION("p.payment_collection_id")} AS order_ids
      FROM refund ref JOIN payment p ON p.id = ref.payment_id AND p.deleted_at IS NULL
     WHERE ref.deleted_at IS NULL AND ref.created_at < now() - interval '1 minute' AND ${IS_CRYPTO_PAYMENT} AND NOT ${IS_REGISTERED}`,
  },
  /** Refunds whose registration is finished. When core cancels an order it books a refund without a registration. */
  refund_not_booked: {
    invariant: "I5",
    message: "Medusa has a refund of the payment, and the order's transactions do not have exactly that.",
    sql: `
    SELECT DISTINCT ${IDS} FROM ${REQUESTS} r
      JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
      JOIN refund ref ON ref.payment_id = p.id AND ref.deleted_at IS NULL
      JOIN crypto_payment_refund f ON f.medusa_refund_id = ref.id AND f.state = 'applied' AND f.deleted_at IS NULL
     CROSS JOIN LATERAL (${PLACED_ORDER}) placed
     CROSS JOIN LATERAL (
       SELECT COALESCE(SUM(t.amount), 0) AS amount FROM order_transaction t
        WHERE t.order_id = placed.id AND t.reference = 'refund' AND t.reference_id = ref.id AND t.deleted_at IS NULL
     ) booked
     WHERE r.deleted_at IS NULL AND NOT placed.is_canceled AND NOT ${IS_SENT_BACK_BEFORE} AND ${IS_NOT_HELD}
       AND round(booked.amount, 2) <> -round(ref.amount, 2)`,
  },
  /** The schedule finishes it; an open edit of the order can delay that. Two registrations cannot share one refund. */
  refund_not_finished: {
    invariant: "I5",
    message: "A refund is registered, and is not in Medusa's books.",
    sql: `
    SELECT DISTINCT ${IDS} FROM crypto_payment_refund f JOIN ${REQUESTS} r ON r.id = f.request_id
     WHERE f.deleted_at IS NULL
       AND ((f.state = 'registered' AND f.created_at < now() - interval '1 minute')
         OR EXISTS (SELECT 1 FROM crypto_payment_refund other
                     WHERE other.medusa_refund_id = f.medusa_refund_id AND other.id <> f.id AND other.deleted_at IS NULL)
         OR (f.state = 'applied'
             AND ${IS_CAPTURED}
             AND NOT EXISTS (SELECT 1 FROM refund ref WHERE ref.id = f.medusa_refund_id AND ref.deleted_at IS NULL
                                AND round(ref.amount, 2) = round(f.amount::numeric, 2))))`,
  },
  /** Only registered refunds make a payment refunded, and no more can be sent back than was received. */
  refunded_without_refund: {
    invariant: "I2",
    message:
      "The payment counts as refunded and the registered refunds are not all of it, or they are more than was received.",
    sql: `
    WITH registered AS (
      SELECT f.request_id, SUM(f.amount::numeric) AS amount FROM crypto_payment_refund f
       WHERE f.deleted_at IS NULL GROUP BY f.request_id
    )
    SELECT ${IDS} FROM ${REQUESTS} r LEFT JOIN registered ON registered.request_id = r.id
     WHERE r.deleted_at IS NULL
       AND (r.state = 'refunded' AND (registered.amount >= round(r.gateway_amount::numeric, 2)) IS NOT TRUE
            OR registered.amount IS NOT NULL AND (registered.amount <= round(r.gateway_amount::numeric, 2)) IS NOT TRUE)`,
  },
}
