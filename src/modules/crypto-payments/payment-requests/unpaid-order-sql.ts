import { OTHER_TRANSACTIONS } from "./order-balance"

/** When an unpaid order may be cancelled, and what prevents it. For a row `r` and the order `o` of its cart. */

/** Merchants complete and archive orders. Those are never cancelled automatically. */
const IS_LEFT_TO_MERCHANT = "o.status IN ('completed', 'archived')"

/**
 * A session of another provider in these states may become a payment without further action. A session that was only
 * opened (`pending`) is no payment: any visitor can open one. Our own links are read at the gateway instead.
 */
const OTHER_SESSION = (collections: string, states: string): string => `
  FROM payment_session other
 WHERE other.payment_collection_id IN (${collections}) AND other.deleted_at IS NULL
   AND other.provider_id NOT LIKE 'pp\\_crypto\\_%' AND other.status ${states}`

const LINKS = "FROM crypto_payment_request q WHERE q.cart_id = r.cart_id AND q.deleted_at IS NULL"

/**
 * Start of the order's time: when it was placed with its first link, a payment that had stopped its time was cancelled,
 * or the merchant last changed its price or asked for a link. Null after an authorized, made or otherwise booked
 * payment, and for a completed or archived order. `decision/order-expiry.ts` says when it is cancelled then.
 *
 * @param collections selects the ids of the order's payment collections
 * @param payments a table of their payments, with `captured` and `canceled_at`
 */
export const ORDER_EXPIRES_FROM = (collections: string, payments: string): string => `
  CASE WHEN r.cart_id IS NOT NULL AND NOT ${IS_LEFT_TO_MERCHANT}
        AND NOT EXISTS (SELECT 1 FROM ${payments} made WHERE made.canceled_at IS NULL OR made.captured > 0)
        AND NOT EXISTS (SELECT 1 ${OTHER_SESSION(collections, "IN ('authorized', 'captured')")})
        AND ${OTHER_TRANSACTIONS("o.id")} <= 0
    THEN GREATEST(o.created_at, (SELECT MAX(made.canceled_at) FROM ${payments} made),
                  (SELECT MAX(change.confirmed_at) FROM order_change change
                    WHERE change.order_id = o.id AND change.change_type IN ('edit', 'exchange', 'claim')
                      AND change.status = 'confirmed' AND change.deleted_at IS NULL),
                  (SELECT GREATEST(MIN(q.created_at), MAX(q.offered_by_merchant_at)) ${LINKS})) END`

/** When a storefront last gave the order a way to pay. The new session of a replaced link counts too. */
export const ORDER_PROLONGED_AT = (collections: string): string => `
  GREATEST((SELECT MAX(given.created_at) FROM payment_session given
             WHERE given.payment_collection_id IN (${collections}) AND given.deleted_at IS NULL),
           (SELECT MAX(q.created_at) ${LINKS}))`

export const ORDER_PAYMENT_BEGAN_AT = (collections: string): string => `
  (SELECT MAX(other.created_at) ${OTHER_SESSION(collections, "NOT IN ('pending', 'error', 'canceled', 'authorized', 'captured')")})`

/**
 * What prevents cancelling the order: `fulfillment`, or the type of the open order change (`edit`, `return_request`,
 * …). Transfer requests and the credit lines of core's own bookings are cleared first.
 */
export const ORDER_OBSTACLE = `
  CASE WHEN EXISTS (SELECT 1 FROM order_fulfillment link
                      JOIN fulfillment shipped ON shipped.id = link.fulfillment_id AND shipped.deleted_at IS NULL
                     WHERE link.order_id = o.id AND link.deleted_at IS NULL AND shipped.canceled_at IS NULL)
    THEN 'fulfillment'
    ELSE (SELECT COALESCE(change.change_type, 'edit') FROM order_change change
           WHERE change.order_id = o.id AND change.status IN ('pending', 'requested') AND change.deleted_at IS NULL
             AND change.change_type IS DISTINCT FROM 'transfer' AND change.change_type IS DISTINCT FROM 'credit_line'
           LIMIT 1) END`

/**
 * The order's newest readable link of its provider: an order that cannot be cancelled has one case, not one per link.
 * Another provider's link may know no such time.
 */
export const IS_NEWEST_LINK = `
  NOT EXISTS (SELECT 1 FROM crypto_payment_request q
               WHERE q.cart_id = r.cart_id AND q.provider_id = r.provider_id AND q.id <> r.id AND q.state IN ('open', 'superseded')
                 AND q.failure IS NULL AND q.deleted_at IS NULL AND (q.created_at, q.id) > (r.created_at, r.id))`
