import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { END_WORDS } from "../../../decision"
import { UNPAID_WORD } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"

/**
 * Facts about a payment request that more than one statement needs, each declared once. Every snippet is about a row
 * `r` of `crypto_payment_request`.
 */

export const REQUESTS = "crypto_payment_request"

/** Nothing can follow for the row by itself: repeated notifications of it cost no gateway read. */
export const IS_FINAL = "(r.state = 'refunded' OR r.settled_at IS NOT NULL)"

/**
 * What the gateway says was paid is what the link asked for, compared as `decide` does. Other money is never captured, and
 * a session that is bound to it could not be paid any more.
 */
const IS_PAID_EXACTLY = `(round(COALESCE(r.gateway_amount, r.amount)::numeric, 2) = round(r.amount::numeric, 2)
  AND upper(COALESCE(r.gateway_currency_symbol, r.currency_code)) = upper(r.currency_code))`

/**
 * Money that no session has claimed, and that neither an admin user nor a registered refund has dealt with. A case that
 * was closed before the payment was about a gateway that could not be read, and not about the money.
 */
export const IS_WAITING_MONEY = `(r.state = 'paid' AND r.paid_session_id IS NULL AND r.refund_registered_at IS NULL
  AND (r.attention_resolved_at IS NULL OR r.attention_resolved_at < r.paid_at)
  AND r.deleted_at IS NULL AND ${IS_PAID_EXACTLY})`

/** A case reports that the money has no order, or cannot be processed. It may be open, or closed by an admin user. */
export const HAS_CASE_OF_MONEY = `COALESCE(r.attention_reason IN
  ('paid_without_order', 'orphan_paid', 'duplicate_payment', 'paid_on_canceled', 'amount_mismatch')
  OR r.attention_reason = 'settle_fails' AND r.attention_since >= r.paid_at, false)`

/**
 * A case, open or closed by an admin user, explains why the money is not captured and settled. A case of the time before
 * the payment explains nothing, nor does one that says that too little or too much was captured.
 */
export const HAS_CASE_THAT_EXPLAINS_MONEY = `(${HAS_CASE_OF_MONEY}
  OR COALESCE(r.attention_reason = 'provider_missing' AND r.attention_since >= r.paid_at, false))`

/** No settle holds the row. The lease of a dead process ends by itself. */
export const IS_FREE = "(r.lease_until IS NULL OR r.lease_until < now())"

/**
 * Who asked for a settle. It is written to the timeline, orders the settles of a process, and never decides what becomes
 * paid. What nobody asked for is found by the schedule.
 */
export type SettleTrigger = "notification" | "return" | "schedule" | "admin" | "provider" | "order_changed"

/**
 * Makes a row due now, and due again when a settle holds it. One that is due already keeps its place among those that
 * wait.
 *
 * @param trigger who asks. Neither a payer's return nor a changed order takes the place of what is more urgent.
 */
export const DUE_NOW = (trigger?: Exclude<SettleTrigger, "schedule">): string => {
  const isDue = "next_check_at = LEAST(r.next_check_at, now()), check_requested_at = now()"
  const kept: Partial<Record<SettleTrigger, string>> = {
    return: "r.check_trigger",
    order_changed: "NULLIF(r.check_trigger, 'return')",
  }
  return trigger === undefined
    ? isDue
    : `${isDue}, check_trigger = COALESCE(${kept[trigger] ?? "NULL"}, '${trigger}')`
}

/** The same as columns, of what nobody waits for. */
export const dueColumns = (knex: Knex): Record<"next_check_at" | "check_requested_at", Knex.Raw> => ({
  next_check_at: knex.fn.now(),
  check_requested_at: knex.fn.now(),
})

/** As `recordedStatus` says UNPAID. */
export const SAYS_UNPAID = `r.gateway_status ~* '${UNPAID_WORD.source}'`

/** As `recordedStatus` says PENDING: the gateway's word is PENDING, or one of its own that is no end. */
export const IS_BEING_PAID = `(COALESCE(r.gateway_status, 'PAID') <> 'PAID' AND NOT ${SAYS_UNPAID}
  AND r.gateway_status !~* '${END_WORDS.source}')`

/** The order `o` is cancelled. Core writes both, and a script may write one. */
export const IS_CANCELED = "(o.status = 'canceled' OR o.canceled_at IS NOT NULL)"

/** Where the next page of a sweep begins, as the time and id of the last row that was read. */
export const PAGE_BEGIN = (sweep: string): string => `(
  SELECT COALESCE(s.after_at, 'infinity'), COALESCE(s.after_id, '') FROM crypto_payment_sweep s WHERE s.id = '${sweep}'
   UNION ALL SELECT 'infinity', '' LIMIT 1)`

/**
 * Remembers where a table `page` ended; the next one begins again with the newest when it was not full.
 *
 * @param time the column by which the page is ordered, newest first, before its id
 * @param size a binding or a number
 */
export const TURN_PAGE = (sweep: string, time: string, size: string, condition = "true"): string => `
  INSERT INTO crypto_payment_sweep AS s (id, after_at, after_id)
  SELECT '${sweep}',
         CASE WHEN count(*) = ${size} THEN (SELECT ${time} FROM page ORDER BY ${time}, id LIMIT 1) END,
         CASE WHEN count(*) = ${size} THEN (SELECT id FROM page ORDER BY ${time}, id LIMIT 1) END
    FROM page
  HAVING ${condition}
  ON CONFLICT (id) DO UPDATE SET after_at = EXCLUDED.after_at, after_id = EXCLUDED.after_id, updated_at = now()
   WHERE (s.after_at, s.after_id) IS DISTINCT FROM (EXCLUDED.after_at, EXCLUDED.after_id)`

const NEWEST_LINKS = 1000
export const LINKS_PAGE = 2000
export const LINKS_SWEEP = "open_links"
const IS_OPEN_LINK = "r.state = 'open' AND r.deleted_at IS NULL"
const LINK_COLUMNS = `r.id, r.session_id, r.cart_id, r.order_id, r.payment_collection_id, r.gateway_status,
  r.last_checked_at, r.lease_until, r.renewal_tried_at, r.order_announced_at`
/** The open links of a page, after those of the page before. */
export const OLDER_LINKS = (columns: string, begin = PAGE_BEGIN(LINKS_SWEEP)): string => `
  SELECT ${columns} FROM ${REQUESTS} r
   WHERE ${IS_OPEN_LINK} AND (r.created_at, r.id) < ${begin}
   ORDER BY r.created_at DESC, r.id DESC LIMIT ${String(LINKS_PAGE)}`

/**
 * The newest open links and a page of the older ones, as a table `links`. The sweeps look at these every minute for what
 * has become of their orders. A round takes `(open links / LINKS_PAGE + 1)` minutes.
 */
export const LINKS_TABLE = (condition = "true"): string => `found AS MATERIALIZED (
  (SELECT ${LINK_COLUMNS} FROM ${REQUESTS} r WHERE ${IS_OPEN_LINK} ORDER BY r.created_at DESC, r.id DESC LIMIT ${String(NEWEST_LINKS)})
  UNION
  (${OLDER_LINKS(LINK_COLUMNS)})
), links AS (SELECT r.* FROM found r WHERE ${condition})`

/** A gateway call may be under way for the row, and may still be answered. */
export const CREATION_ENDS_MS = 60_000
export const STALE_CREATION = `${String(CREATION_ENDS_MS)} milliseconds`

/** What is registered as refunded of the row, in major units of the received currency: of the refunds `f` that are meant. */
export const REGISTERED_REFUND_OF = (condition: string): string => `(
  SELECT COALESCE(SUM(f.amount::numeric), 0) FROM crypto_payment_refund f
   WHERE f.request_id = r.id AND f.deleted_at IS NULL AND ${condition})`
export const REGISTERED_REFUND = REGISTERED_REFUND_OF("true")

/** The order of the row's cart. */
export const ORDER_OF_CART = `(SELECT oc.order_id FROM order_cart oc
  WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL LIMIT 1)`

/** The order of the binding has its cart: core has placed it, and does not only begin it. */
export const IS_LINKED_ORDER =
  "EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = ? AND oc.deleted_at IS NULL)"

/** The order of the row's payment collection: of a row without a cart, and what core may have begun for a cart. */
export const ORDER_OF_COLLECTION = `(SELECT opc.order_id FROM order_payment_collection opc
  WHERE opc.payment_collection_id = r.payment_collection_id AND opc.deleted_at IS NULL LIMIT 1)`

/**
 * The order that was placed for the row. Core may have died after it linked an order to the collection and before it
 * linked the cart. Such an order was not placed: completing the cart again places another one.
 *
 * A row without a cart was made for an order that there was. It stays the row's when the collection is deleted from it,
 * as the admin lets a merchant do while nothing is paid: the link can be paid all the same.
 */
export const ORDER_OF_REQUEST = `(CASE WHEN r.cart_id IS NULL THEN COALESCE(${ORDER_OF_COLLECTION}, r.order_id)
  ELSE ${ORDER_OF_CART} END)`

/** The order that the last settle found, or that the link was made for, does not exist any more. */
export const ORDER_IS_DELETED = `(r.order_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "order" kept WHERE kept.id = r.order_id AND kept.deleted_at IS NULL))`

/**
 * The order was placed, or the link was made for it, and somebody has deleted it. Core itself removes the order that it
 * takes back from a cart, and `order.placed` of that one is never heard.
 */
export const ORDER_IS_GONE = `((r.cart_id IS NULL OR r.order_announced_at IS NOT NULL) AND ${ORDER_IS_DELETED})`

/**
 * The session that core shows as paid by the row, when the ledger does not say so: its tables were restored from an
 * older backup than core's. A payment contains what the provider returned with `captured`, and nothing else.
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

type Currencies = Pick<CryptoPaymentRequestRow, "gateway_currency_symbol" | "currency_code">

/**
 * Currency of the received amounts (gateway, fee and receiving amount) and of their refunds, for rows `r`. A payer can
 * pay in another currency than the requested one, `currency_code`. That one counts where the gateway has named none.
 */
export const GATEWAY_CURRENCY = `COALESCE(NULLIF(lower(r.gateway_currency_symbol), ''), r.currency_code)`

/** The same of a row at hand, lower case as Medusa's codes. */
export function gatewayCurrency({ gateway_currency_symbol: symbol, currency_code }: Currencies): string {
  return symbol?.toLowerCase() || currency_code
}

/** What the payer paid in, for rows `r`: null where the gateway has named no coin, or an empty one. */
export const COIN = `NULLIF(r.payment_currency, '')`
