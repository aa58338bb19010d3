/**
 * Facts about a payment request that more than one statement needs, each declared once. Every snippet is about a row `r`
 * of `crypto_payment_request`.
 */

export const REQUESTS = "crypto_payment_request"

/** Nothing can follow for the row by itself: repeated notifications of it cost no gateway read. */
export const IS_FINAL = "(r.state = 'refunded' OR r.settled_at IS NOT NULL)"

/** Money that no session has claimed, and that nobody has dealt with: a person, or a registered refund. */
export const IS_WAITING_MONEY = `(r.state = 'paid' AND r.paid_session_id IS NULL AND r.refund_registered_at IS NULL
  AND r.attention_resolved_at IS NULL AND r.deleted_at IS NULL)`

/** No settle holds the row. The lease of a dead process ends by itself. */
export const IS_FREE = "(r.lease_until IS NULL OR r.lease_until < now())"

/** A gateway call may be under way for the row, and may still be answered. */
export const STALE_CREATION = "60 seconds"

/** What is registered as refunded of the row, in major units of the received currency. */
export const REGISTERED_REFUND = `(SELECT COALESCE(SUM(f.amount::numeric), 0) FROM crypto_payment_refund f
  WHERE f.request_id = r.id AND f.deleted_at IS NULL)`

/** The order of the row's cart. */
export const ORDER_OF_CART = `(SELECT oc.order_id FROM order_cart oc
  WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL LIMIT 1)`

/** The order of the row's payment collection: of a row without a cart, and what core may have begun for a cart. */
export const ORDER_OF_COLLECTION = `(SELECT opc.order_id FROM order_payment_collection opc
  WHERE opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL LIMIT 1)`

/**
 * The order that was placed for the row. Core may have died after it linked an order to the collection and before it
 * linked the cart. Such an order was not placed: completing the cart again places another one.
 */
export const ORDER_OF_REQUEST = `(CASE WHEN r.cart_id IS NULL THEN ${ORDER_OF_COLLECTION} ELSE ${ORDER_OF_CART} END)`

/** The order that the last settle found, or that the link was made for, does not exist any more. */
export const ORDER_IS_DELETED = `(r.order_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "order" kept WHERE kept.id = r.order_id AND kept.deleted_at IS NULL))`

/**
 * The session that core shows as paid by the row, when the ledger does not say so: its tables were restored from an
 * older backup than core's. A payment holds what the provider returned when core was told `captured`, and nothing else.
 *
 * @param sessionIds the sessions the row may have paid, as an array
 */
export const CLAIM_IN_CORE = (sessionIds: string): string => `(SELECT p.payment_session_id FROM payment p
  WHERE p.payment_session_id = ANY (${sessionIds}) AND p.data ->> 'payment_request_id' = r.payment_request_id
    AND p.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} k WHERE k.paid_session_id = p.payment_session_id)
  ORDER BY p.created_at LIMIT 1)`

/**
 * Ids of the requests of an order: through its cart, through one of its payment collections, or as a settle noted.
 *
 * @param orderId a binding or an expression
 */
export const IDS_OF_ORDER = (orderId: string): string => `
  SELECT q.id FROM ${REQUESTS} q WHERE q.order_id = ${orderId} AND q.deleted_at IS NULL
  UNION
  SELECT q.id FROM ${REQUESTS} q JOIN order_cart oc ON oc.cart_id = q.cart_id AND oc.deleted_at IS NULL
   WHERE oc.order_id = ${orderId} AND q.deleted_at IS NULL
  UNION
  SELECT q.id FROM ${REQUESTS} q
    JOIN order_payment_collection opc
      ON opc.payment_collection_id = q.payment_collection_id AND opc.deleted_at IS NULL
   WHERE opc.order_id = ${orderId} AND q.deleted_at IS NULL`
