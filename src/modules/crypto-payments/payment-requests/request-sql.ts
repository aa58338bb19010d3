import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { END_WORDS, PENDING_WORD, UNPAID_WORD } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"

/** Facts about a payment request that several statements need. Every snippet is about a row `r` of this table. */

export const REQUESTS = "crypto_payment_request"

export const IS_CRYPTO = (id: string): string => `${id} LIKE 'pp\\_crypto\\_%'`

/** Prefix of the `session_id` of a row without a session, followed by the session that its note names. */
export const STRAY = "stray:"

/** Nothing can follow for the row automatically: repeated notifications of it cost no gateway read. */
export const IS_FINAL = "(r.state = 'refunded' OR r.settled_at IS NOT NULL)"

/**
 * The received amount is the requested one, compared as `decide` does. Other money is never captured, and a session
 * that is bound to it could not be paid any more.
 */
export const IS_PAID_EXACTLY = `(round(COALESCE(r.gateway_amount, r.amount)::numeric, 2) = round(r.amount::numeric, 2)
  AND upper(COALESCE(r.gateway_currency_symbol, r.currency_code)) = upper(r.currency_code))`

/**
 * No session has the money. A claim is void if core deleted its session before it wrote a payment, even a deleted one.
 */
const IS_UNCLAIMED = `(NOT EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.paid_session_id AND s.deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_session_id = r.paid_session_id))`

/**
 * Money that no session has claimed, and that neither an admin user nor a registered refund has dealt with. A case from
 * before the payment is not about the money, whenever it was closed.
 */
export const IS_WAITING_MONEY = `(r.state = 'paid' AND ${IS_UNCLAIMED} AND r.refund_registered_at IS NULL
  AND (r.attention_resolved_at IS NULL OR COALESCE(r.attention_since, r.attention_resolved_at) < r.paid_at)
  AND r.deleted_at IS NULL AND ${IS_PAID_EXACTLY})`

/**
 * Received money that an admin user may use for an order, also after the case was closed: a case says that nothing is
 * going to capture it, and none of it is registered as sent back. Money of a deleted session that has a session again
 * is about to be captured.
 */
export const IS_UNUSED_MONEY = `COALESCE(r.state = 'paid' AND ${IS_UNCLAIMED} AND r.refund_registered_at IS NULL
  AND r.deleted_at IS NULL AND NOT (r.attention_reason = 'orphan_paid'
    AND EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.session_id AND s.deleted_at IS NULL))
  AND r.attention_reason IN ('orphan_paid', 'duplicate_payment', 'paid_on_canceled', 'amount_mismatch'), false)`

/** Cases, open or closed, of money of a cart that has no order, captured or not. */
export const CASES_OF_CART: readonly (string | null)[] = [
  "paid_without_order",
  "orphan_paid",
  "amount_mismatch",
]
export const IS_CASE_OF_CART = `COALESCE(r.attention_reason IN ('${CASES_OF_CART.join("', '")}'), false)`

/** The case, open or closed, says that the money has no order or cannot be processed. */
export const HAS_CASE_OF_MONEY = `COALESCE(r.attention_reason IN
  ('paid_without_order', 'orphan_paid', 'duplicate_payment', 'paid_on_canceled', 'amount_mismatch')
  OR r.attention_reason = 'settle_fails' AND r.attention_since >= r.paid_at, false)`

/** A case, open or closed, explains why the money is not settled. Cases about sums or from before it do not. */
export const HAS_CASE_THAT_EXPLAINS_MONEY = `(${HAS_CASE_OF_MONEY}
  OR COALESCE(r.attention_reason = 'provider_missing' AND r.attention_since >= r.paid_at, false))`

/** An open case names what its order owes, or what was captured too much for it. */
export const IS_CASE_OF_SUM = `r.attention_amount IS NOT NULL AND r.attention_resolved_at IS NULL`

/** No settle holds the row. The lease of a dead process ends automatically. */
export const IS_FREE = "(r.lease_until IS NULL OR r.lease_until < now())"

/** Who asked for a settle: for the timeline and the order of settles. It never decides what becomes paid. */
export type SettleTrigger = "notification" | "return" | "schedule" | "admin" | "provider" | "order_changed"

/** Money was received and not all of it is registered as refunded. */
export const IS_UNREFUNDED = "(r.paid_at IS NOT NULL AND r.state <> 'refunded')"

/**
 * Makes a row due now, and due again when a settle holds it. A row that is due already keeps its place in the queue. A
 * payer's return or a changed order does not replace another trigger.
 */
export const DUE_NOW = (trigger?: Exclude<SettleTrigger, "schedule">): string => {
  const isDue = "next_check_at = LEAST(r.next_check_at, now()), check_requested_at = now()"
  const kept = trigger === "return" || trigger === "order_changed" ? "r.check_trigger" : "NULL"
  return trigger === undefined ? isDue : `${isDue}, check_trigger = COALESCE(${kept}, '${trigger}')`
}

export const dueColumns = (knex: Knex): Record<"next_check_at" | "check_requested_at", Knex.Raw> => ({
  next_check_at: knex.fn.now(),
  check_requested_at: knex.fn.now(),
})

/**
 * Anybody can return to the shop, and whoever has a genuine notification can send it again. From outside, a row causes
 * one read of the gateway in this time; a notification that comes sooner is due then.
 */
export const OUTSIDE_READ_INTERVAL = "10 seconds"

export const SAYS_UNPAID = `r.gateway_status ~* '${UNPAID_WORD.source}'`

/** As `recordedStatus` says PENDING: the word PENDING, or an unlisted word that is no end word. */
export const IS_BEING_PAID = `(COALESCE(r.gateway_status, 'PAID') <> 'PAID' AND NOT ${SAYS_UNPAID}
  AND r.gateway_status !~* '${END_WORDS.source}')`

/** As `isUnknownWord` says. */
export const IS_UNKNOWN_WORD = `(${IS_BEING_PAID} AND r.gateway_status !~* '${PENDING_WORD.source}')`

/** A report of PAID is the first, or the first since an admin user closed the case of an earlier one. */
export const IS_REPORT_NEWS = "(NOT r.is_reported_paid OR COALESCE(r.denied_at > r.notified_at, false))"

/** Core writes both columns; a script may write only one. */
export const IS_CANCELED = "(o.status = 'canceled' OR o.canceled_at IS NOT NULL)"

/** Until then a gateway call for the row may be running and may still be answered. */
export const CREATION_ENDS_MS = 60_000
export const STALE_CREATION = `${String(CREATION_ENDS_MS)} milliseconds`

/** The sum of the refunds `f` that match the condition, in major units of the received currency. */
export const REGISTERED_REFUND_OF = (condition: string): string => `(
  SELECT COALESCE(SUM(f.amount::numeric), 0) FROM crypto_payment_refund f
   WHERE f.request_id = r.id AND f.deleted_at IS NULL AND ${condition})`
export const REGISTERED_REFUND = REGISTERED_REFUND_OF("true")

/** Core's refund `ref` belongs to a registration. */
export const IS_REGISTERED = `EXISTS (
  SELECT 1 FROM crypto_payment_refund f WHERE f.medusa_refund_id = ref.id AND f.deleted_at IS NULL)`

export const ORDER_OF_CART = `(SELECT oc.order_id FROM order_cart oc
  WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL LIMIT 1)`

/** The order of the row's payment collection, also one that core has only begun for a cart. */
export const ORDER_OF_COLLECTION = `(SELECT opc.order_id FROM order_payment_collection opc
  WHERE opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL LIMIT 1)`

/**
 * The order that was placed for the row. If core died after it linked an order to the collection and before it linked
 * the cart, the order was not placed: completing the cart again places another one.
 *
 * A row without a cart was made for an existing order, and keeps it when a merchant deletes the collection in the admin
 * while nothing is paid: the link can still be paid.
 */
export const ORDER_OF_REQUEST = `(CASE WHEN r.cart_id IS NULL THEN COALESCE(${ORDER_OF_COLLECTION}, r.order_id)
  ELSE ${ORDER_OF_CART} END)`

const ORDER_IS_DELETED = `(r.order_id IS NOT NULL
  AND (SELECT kept.id FROM "order" kept WHERE kept.id = r.order_id AND kept.deleted_at IS NULL) IS NULL)`

/**
 * Somebody has deleted the placed order, or the order that the link was made for. When core itself takes an order back
 * from a cart, `order.placed` of that order is never received.
 */
export const ORDER_IS_GONE = `((r.cart_id IS NULL OR r.order_announced_at IS NOT NULL) AND ${ORDER_IS_DELETED})`

/** The order is gone, or the one with this id was deleted. */
export const IS_ORDER_DELETED = (orderId: string): string => `(${ORDER_IS_GONE}
  OR EXISTS (SELECT 1 FROM "order" d WHERE d.id = ${orderId} AND d.deleted_at IS NOT NULL))`

/** The requests of an order: through its cart, its payment collections, or as a settle noted. */
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

/** Currency of the received amounts and their refunds; it can differ from `currency_code`, which is its fallback. */
export const GATEWAY_CURRENCY = `COALESCE(NULLIF(lower(r.gateway_currency_symbol), ''), r.currency_code)`

/** The same for a row that was read, lower case as Medusa's codes. */
export function gatewayCurrency(row: CryptoPaymentRequestRow): string {
  return row.gateway_currency_symbol?.toLowerCase() || row.currency_code
}

/** The coin that was paid with. Null when the gateway named none. */
export const COIN = `NULLIF(r.payment_currency, '')`
