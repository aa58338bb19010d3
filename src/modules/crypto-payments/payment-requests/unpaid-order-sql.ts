import { OTHER_TRANSACTIONS } from "./order-balance"

/**
 * What the ledger's SQL asks of an order that was placed unpaid: from when it may be cancelled, and what keeps Medusa
 * from cancelling it. Every snippet is about a row `r` of `crypto_payment_request` and the order `o` of its cart.
 */

/** Merchants complete and archive orders. What they have completed or archived is never cancelled by itself. */
const IS_LEFT_TO_MERCHANT = "o.status IN ('completed', 'archived')"

/**
 * A session of another provider in these states may become a payment without anybody doing more. One that was only
 * opened (`pending`) is no payment: any visitor can open one. Our own links are read at the gateway instead.
 */
const OTHER_SESSION = (collections: string, states: string): string => `
  FROM payment_session other
 WHERE other.payment_collection_id IN (${collections}) AND other.deleted_at IS NULL
   AND other.provider_id NOT LIKE 'pp\\_crypto\\_%' AND other.status ${states}`

/** The requests of the order's cart. */
const LINKS = "FROM crypto_payment_request q WHERE q.cart_id = r.cart_id AND q.deleted_at IS NULL"

/**
 * From when the order's time counts: when it was placed with its first link, when a payment that had stopped its time
 * was cancelled, when the merchant last changed what it costs, or when the merchant last asked for a link. Null when a
 * payment was authorized or made, when money was booked in another way, and for an order that the merchant has completed
 * or archived. When the order is cancelled then: `decision/order-expiry.ts`.
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

/** When a storefront last gave the order a way to pay. The new session of a replaced link counts as well. */
export const ORDER_PROLONGED_AT = (collections: string): string => `
  GREATEST((SELECT MAX(given.created_at) FROM payment_session given
             WHERE given.payment_collection_id IN (${collections}) AND given.deleted_at IS NULL),
           (SELECT MAX(q.created_at) ${LINKS}))`

/** When the newest session of another provider was opened that waits for its authorization. */
export const ORDER_PAYMENT_BEGAN_AT = (collections: string): string => `
  (SELECT MAX(other.created_at) ${OTHER_SESSION(collections, "NOT IN ('pending', 'error', 'canceled', 'authorized', 'captured')")})`

/**
 * What keeps Medusa from cancelling the order: `fulfillment`, or the type of the open order change (`edit`,
 * `return_request`, …). Null for nothing. Transfer requests and the credit lines of core's own bookings are cleared
 * away.
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

/** Of an order's links the newest that can be read: an order that cannot be cancelled is one case, not one a link. */
export const IS_NEWEST_LINK = `
  NOT EXISTS (SELECT 1 FROM crypto_payment_request q
               WHERE q.cart_id = r.cart_id AND q.id <> r.id AND q.state IN ('open', 'superseded')
                 AND q.failure IS NULL AND q.deleted_at IS NULL AND (q.created_at, q.id) > (r.created_at, r.id))`
