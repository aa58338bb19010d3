import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan, type DecidedFacts } from "../../../decision"
import {
  IS_REFUND_MADE,
  ORDER_LINES,
  OTHER_TRANSACTIONS,
  outstandingOf,
  readOwed,
  type OrderLines,
} from "./order-balance"
import { WRONG_SUMS } from "./order-sums"
import {
  IS_CANCELED,
  IS_WAITING_MONEY,
  ORDER_IS_GONE,
  ORDER_OF_COLLECTION,
  ORDER_OF_REQUEST,
  REGISTERED_REFUND,
} from "./request-sql"
import { IS_PAID_AGAIN, OTHER_PAYMENTS_NOW } from "./other-payments"
import {
  IS_NEWEST_LINK,
  ORDER_EXPIRES_FROM,
  ORDER_OBSTACLE,
  ORDER_PAYMENT_BEGAN_AT,
  ORDER_PROLONGED_AT,
} from "./unpaid-order-sql"

/**
 * What a decision reads from core's tables. `integration-tests/http/core-tables.spec.ts` checks every name of core's
 * tables and columns that our SQL uses. SQL and not Query: a payment provider's container has no Query, and one
 * statement is faster than six.
 */

const IS_COVERED = `(pc.amount > 0
  AND COALESCE(pc.captured_amount, 0) - COALESCE(pc.refunded_amount, 0) >= pc.amount)`

const HAS_CANCELED_ORDER = `COALESCE(${IS_CANCELED}, false)`

/**
 * The order of a collection `pc` is cancelled or deleted. When core takes the order of a cart back, it removes the
 * order's row and may place another one: so for a cart's collection, a missing row is no deleted order.
 */
const IS_GIVEN_UP = `(${HAS_CANCELED_ORDER} OR (opc.order_id IS NOT NULL AND o.id IS NULL AND NOT EXISTS (
  SELECT 1 FROM cart_payment_collection own WHERE own.payment_collection_id = pc.id AND own.deleted_at IS NULL)))`

/** The collection of a request `r` is for all that its order owes, whatever it asks for by now. */
const ASKS_FOR_ALL = "(r.linked_order_id IS NOT NULL AND r.deposit_amount IS NULL)"

/** When those of an order `o` were cancelled that existed before its collection `pc` was created. */
const CANCELED_SINCE = (table: string): string => `
   UNION ALL SELECT b.canceled_at FROM ${table} b
    WHERE b.order_id = o.id AND b.created_at < pc.created_at AND b.deleted_at IS NULL`

/**
 * When core changed what `o` owes without its collection `pc`: a return, exchange or claim was confirmed, or one from
 * before was cancelled, or taxes were added.
 */
const OWES_OTHERWISE_AT = `(
  SELECT change.confirmed_at AS at FROM order_change change
   WHERE change.order_id = o.id AND change.change_type IN ('return_request', 'exchange', 'claim')
     AND change.deleted_at IS NULL${["return", "order_exchange", "order_claim"].map(CANCELED_SINCE).join("")}
   UNION ALL SELECT tax.created_at FROM order_item oi JOIN order_line_item_tax_line tax ON tax.item_id = oi.item_id
    WHERE oi.order_id = o.id AND oi.deleted_at IS NULL AND tax.deleted_at IS NULL
   UNION ALL SELECT tax.created_at FROM order_shipping os
     JOIN order_shipping_method_tax_line tax ON tax.shipping_method_id = os.shipping_method_id
    WHERE os.order_id = o.id AND os.deleted_at IS NULL AND tax.deleted_at IS NULL)`

/**
 * The part of what its order `o` owes that a collection `pc` is for, on purpose; null when it is for all of it. A
 * cart's collection always is. For any other, its first link decides: `deposit_amount` of that row. What it asks for
 * later says little: core and the plugin lower it when the order owes less, and nobody raises it again. Core raises it
 * for all that an edited order owes; then it is no deposit any more. Before its first link, it is for a deposit unless
 * core has changed what the order owes since.
 */
const DEPOSIT = (cartId: string): string => `(
  SELECT first.deposit FROM (
    (SELECT q.deposit_amount::numeric AS deposit FROM crypto_payment_request q
      WHERE q.payment_collection_id = pc.id AND q.deleted_at IS NULL ORDER BY q.created_at LIMIT 1)
    UNION ALL
    SELECT pc.amount WHERE NOT EXISTS (SELECT 1 FROM ${OWES_OTHERWISE_AT} changed WHERE changed.at > pc.created_at)
    LIMIT 1
  ) first WHERE ${cartId} IS NULL AND first.deposit >= pc.amount)`

/**
 * The most that a link of a collection `pc` may ask for, whatever its order `o` owes: nothing once the collection was
 * deleted, a deposit's amount, or null for no limit.
 */
export const LINK_AT_MOST = (cartId: string): string => `
  CASE WHEN pc.id IS NULL THEN '0' ELSE ${DEPOSIT(cartId)}::text END`

/** Who pays, and for what. Names and e-mail are sent to the gateway and not stored. */
export interface SessionFacts {
  provider_id: string
  payment_collection_id: string
  /** Two decimals, in major units. */
  amount: string
  currency_code: string
  cart_id: string | null
  order_id: string | null
  email: string | null
  first_name: string | null
  last_name: string | null
  /** The collection's captures minus refunds cover what it asks for, or its order is not cancelled and owes nothing. */
  is_paid: boolean
  is_canceled: boolean
  /** What its collection is for, if it is for a part of what the order owes. */
  deposit_amount: string | null
  /** It asks for another currency than its order has, as after a refused change of the cart's region. */
  is_in_other_currency: boolean
}

/** What Medusa has for one payment request. Amounts are decimal strings in major units. */
export interface SettlementFacts extends DecidedFacts {
  collection_currency_code: string | null
  /** The order that the cart or collection is linked to, if it does not exist: core took it back without the link. */
  lost_order_id: string | null
}

/** Once there is an order, its e-mail and address are the payer's: they can be corrected, and the cart's cannot. */
const PAYER_AND_STATE = `
            CASE WHEN o.id IS NULL THEN c.email ELSE o.email END AS email,
            CASE WHEN o.id IS NULL THEN COALESCE(csa.first_name, cba.first_name)
                 ELSE COALESCE(osa.first_name, oba.first_name) END AS first_name,
            CASE WHEN o.id IS NULL THEN COALESCE(csa.last_name, cba.last_name)
                 ELSE COALESCE(osa.last_name, oba.last_name) END AS last_name,
            ${IS_COVERED} AS is_paid,
            ${IS_GIVEN_UP} AS is_canceled,
            COALESCE(o.currency_code <> pc.currency_code, false) AS is_in_other_currency`

const CART_AND_ORDER = `
       LEFT JOIN cart_payment_collection cpc
         ON cpc.payment_collection_id = pc.id AND cpc.deleted_at IS NULL
       LEFT JOIN cart c ON c.id = cpc.cart_id AND c.deleted_at IS NULL
       LEFT JOIN cart_address csa ON csa.id = c.shipping_address_id
       LEFT JOIN cart_address cba ON cba.id = c.billing_address_id
       LEFT JOIN order_payment_collection opc
         ON opc.payment_collection_id = pc.id AND opc.deleted_at IS NULL
       LEFT JOIN "order" o ON o.id = opc.order_id AND o.deleted_at IS NULL
       LEFT JOIN order_address osa ON osa.id = o.shipping_address_id
       LEFT JOIN order_address oba ON oba.id = o.billing_address_id`

/** The collection of a request `r` without a cart does not belong to its order any more. */
const IS_TAKEN_OFF =
  "(r.cart_id IS NULL AND r.payment_collection_id IS NOT NULL AND r.collection_order_id IS NULL)"

/**
 * The collection of a request `r` was deleted, or taken off its order `o`. The admin takes it off the order and deletes
 * it with its sessions; other code may do only one of these.
 */
const IS_COLLECTION_DELETED = `(o.id IS NOT NULL AND r.payment_collection_id IS NOT NULL
  AND (pc.id IS NULL OR ${IS_TAKEN_OFF}))`

/** @returns undefined when the session does not exist */
export async function readSessionFacts(knex: Knex, sessionId: string): Promise<SessionFacts | undefined> {
  const { rows } = await knex.raw<{
    rows: (SessionFacts & { placed_order_id: string | null; deposit_left: string })[]
  }>(
    `SELECT s.provider_id,
            s.payment_collection_id,
            round(s.amount, 2)::text AS amount,
            s.currency_code,
            cpc.cart_id,
            opc.order_id,
            o.id AS placed_order_id,
            ${DEPOSIT("cpc.cart_id")}::text AS deposit_amount,
            (pc.amount - COALESCE(pc.captured_amount, 0) + COALESCE(pc.refunded_amount, 0))::text AS deposit_left,
            ${PAYER_AND_STATE}
       FROM payment_session s
       JOIN payment_collection pc ON pc.id = s.payment_collection_id AND pc.deleted_at IS NULL
       ${CART_AND_ORDER}
      WHERE s.id = ? AND s.deleted_at IS NULL
      LIMIT 1`,
    [sessionId]
  )
  const [found] = rows
  if (found === undefined) {
    return undefined
  }
  const { placed_order_id, deposit_left, ...facts } = found
  const owed = placed_order_id === null ? null : await readOwed(knex, placed_order_id)
  const isForAll = owed === null || !isMoreThan(owed, deposit_left)
  return {
    ...facts,
    is_paid: isPaid(facts, owed),
    deposit_amount: isForAll ? null : facts.deposit_amount,
  }
}

/** A cancelled order owes nothing, but the shopper sees that it is cancelled. @param owed null without an order */
function isPaid(
  { is_paid, is_canceled }: Pick<SessionFacts, "is_paid" | "is_canceled">,
  owed: string | null
): boolean {
  return is_paid || (owed !== null && !is_canceled && !isMoreThan(owed, "0"))
}

/** What Medusa has for payment requests, in one statement. @param registered provider ids @returns by row id */
export async function readSettlementFacts(
  knex: Knex,
  requestIds: readonly string[],
  registered: readonly string[]
): Promise<Map<string, SettlementFacts>> {
  const { rows } = await knex.raw<{ rows: (StoredFacts & OrderBooks & { request_id: string })[] }>(
    `SELECT facts.* FROM unnest(CAST(:requestIds AS text[])) AS wanted (id) CROSS JOIN LATERAL (
     WITH request AS (
       SELECT r.*, link.linked_order_id, link.collection_order_id
         FROM crypto_payment_request r
         CROSS JOIN LATERAL (
           SELECT ${ORDER_OF_REQUEST} AS linked_order_id, ${ORDER_OF_COLLECTION} AS collection_order_id
         ) link
        WHERE r.id = wanted.id
     ), related_collection AS (
       SELECT r.payment_collection_id AS id FROM request r
        UNION
       SELECT opc.payment_collection_id
         FROM order_payment_collection opc
         JOIN request r ON r.linked_order_id = opc.order_id
        WHERE opc.deleted_at IS NULL
     ), related_payment AS (
       SELECT p.id,
              p.payment_session_id,
              p.canceled_at,
              p.payment_collection_id,
              p.captured_at IS NULL AND p.canceled_at IS NULL AS is_open,
              (SELECT COALESCE(SUM(cap.amount), 0) FROM capture cap
                WHERE cap.payment_id = p.id AND cap.deleted_at IS NULL) AS captured,
              (SELECT COALESCE(SUM(ref.amount), 0) FROM refund ref
                WHERE ref.payment_id = p.id AND ref.deleted_at IS NULL AND ${IS_REFUND_MADE}) AS refunded
         FROM payment p
        WHERE p.deleted_at IS NULL
          AND p.payment_collection_id IN (SELECT id FROM related_collection)
     ), adopting AS (
       SELECT pc.id, round(pc.amount, 2) = r.amount::numeric AS asks_for_it
         FROM payment_collection pc
         JOIN request r ON pc.currency_code = r.currency_code
          AND (round(pc.amount, 2) = r.amount::numeric OR (pc.id = r.payment_collection_id AND ${ASKS_FOR_ALL}))
        WHERE ${IS_WAITING_MONEY}
          AND (pc.id IN (SELECT id FROM related_collection)
               OR pc.id IN (SELECT cpc.payment_collection_id FROM cart_payment_collection cpc
                             WHERE cpc.cart_id = r.cart_id AND cpc.deleted_at IS NULL))
          AND pc.deleted_at IS NULL AND pc.status <> 'canceled'
          AND NOT EXISTS (SELECT 1 FROM payment p
                           WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL AND p.canceled_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM payment_session ps
                            JOIN crypto_payment_request q ON q.session_id = ps.id AND q.deleted_at IS NULL
                           WHERE ps.payment_collection_id = pc.id AND ps.deleted_at IS NULL AND q.paid_at IS NOT NULL)
        ORDER BY asks_for_it DESC, pc.id = r.payment_collection_id DESC, pc.created_at
        LIMIT 1
     )
     SELECT r.id AS request_id,
            clock_timestamp() AS database_now,
            s.amount::text AS session_amount,
            s.currency_code AS session_currency_code,
            CASE WHEN s.id IS NOT NULL THEN LEAST(s.created_at, now()) END AS session_created_at,
            pc.amount::text AS collection_amount,
            pc.currency_code AS collection_currency_code,
            (SELECT COALESCE(SUM(captured), 0) FROM related_payment
              WHERE payment_collection_id = pc.id)::text AS collection_captured,
            EXISTS (SELECT 1 FROM related_payment WHERE payment_collection_id = pc.id AND is_open) AS collection_has_open_payment,
            EXISTS (SELECT 1 FROM payment_collection rest
                     WHERE rest.id IN (SELECT id FROM related_collection) AND rest.id <> pc.id AND rest.amount > 0
                       AND rest.deleted_at IS NULL AND rest.status IN ('not_paid', 'awaiting')) AS rest_is_asked_for,
            r.cart_id,
            r.link_asked_at,
            r.renewal_tried_at,
            r.renewal_failing_since,
            own.id AS payment_id,
            COALESCE(own.captured, 0)::text AS payment_captured,
            COALESCE(own.refunded, 0)::text AS payment_refunded,
            ${REGISTERED_REFUND}::text AS registered_refund,
            o.id AS order_id,
            CASE WHEN o.id IS NULL THEN COALESCE(r.linked_order_id, (
              SELECT r.collection_order_id
               WHERE NOT EXISTS (SELECT 1 FROM "order" g WHERE g.id = r.collection_order_id AND g.deleted_at IS NULL)
            )) END AS lost_order_id,
            ${HAS_CANCELED_ORDER} AS order_canceled,
            EXISTS (SELECT 1 FROM "order" d WHERE d.id = r.linked_order_id AND d.deleted_at IS NOT NULL)
              OR ${ORDER_IS_GONE} AS order_deleted,
            COALESCE(own.captured > 0 AND round(booked.amount, 2) = round(own.captured, 2), false)
              AND NOT ${IS_TAKEN_OFF} AND NOT sums.are_wrong AS order_booked,
            booked.amount::text AS order_booked_amount,
            sums.are_wrong AS are_order_sums_wrong,
            (SELECT MIN(LEAST(cap.created_at, now())) FROM capture cap
              WHERE cap.payment_id = own.id AND cap.deleted_at IS NULL) AS first_captured_at,
            ${ORDER_LINES("o.id")} AS order_lines,
            CASE WHEN o.id IS NOT NULL THEN ${OTHER_TRANSACTIONS("o.id")} ELSE 0 END
              + (SELECT COALESCE(SUM(captured - refunded), 0) FROM related_payment
                  WHERE id IS DISTINCT FROM own.id) AS paid_otherwise,
            r.amount AS link_asks,
            ${LINK_AT_MOST("r.cart_id")} AS link_at_most,
            ${DEPOSIT("r.cart_id")} IS NOT NULL AS is_deposit,
            ${OTHER_PAYMENTS_NOW("o.id")}::text AS other_payments,
            ${IS_PAID_AGAIN("o.id")} AS is_paid_again,
            r.provider_id <> ALL (:registered) AS provider_missing,
            (SELECT MIN(p.provider_id) FROM related_payment
               JOIN payment p ON p.id = related_payment.id
              WHERE related_payment.id IS DISTINCT FROM own.id AND captured > refunded) AS paid_by_provider,
            CASE WHEN s.id IS NULL
                  AND NOT EXISTS (SELECT 1 FROM "order" d WHERE d.id = r.linked_order_id AND d.deleted_at IS NOT NULL)
              THEN (SELECT id FROM adopting) END AS adopting_collection_id,
            COALESCE((SELECT asks_for_it FROM adopting), true) AS adopting_asks_for_it,
            ${IS_COLLECTION_DELETED} AS is_collection_deleted,
            ${IS_COLLECTION_DELETED} AND s.id IS NULL AND NOT EXISTS (SELECT 1 FROM adopting) AND ${IS_WAITING_MONEY}
              AND NOT ${HAS_CANCELED_ORDER} AND o.currency_code = r.currency_code AS needs_collection,
            ${ORDER_EXPIRES_FROM("SELECT id FROM related_collection", "related_payment")} AS order_expires_from,
            ${ORDER_PROLONGED_AT("SELECT id FROM related_collection")} AS order_prolonged_at,
            ${ORDER_PAYMENT_BEGAN_AT("SELECT id FROM related_collection")} AS order_payment_began_at,
            ${ORDER_OBSTACLE} AS order_obstacle,
            ${IS_NEWEST_LINK} AS is_newest_link
       FROM request r
       LEFT JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
       LEFT JOIN payment_collection pc ON pc.id = r.payment_collection_id AND pc.deleted_at IS NULL
       LEFT JOIN related_payment own ON own.payment_session_id = r.paid_session_id
       LEFT JOIN "order" o ON o.id = r.linked_order_id AND o.deleted_at IS NULL
       CROSS JOIN LATERAL (
         SELECT COALESCE(SUM(t.amount), 0) AS amount
           FROM order_transaction t
           JOIN capture cap ON cap.id = t.reference_id AND cap.deleted_at IS NULL
          WHERE t.order_id = o.id AND t.reference = 'capture' AND t.deleted_at IS NULL AND cap.payment_id = own.id
       ) booked
       CROSS JOIN LATERAL (SELECT count(*) > 0 AS are_wrong FROM ${WRONG_SUMS("o")}) sums
      LIMIT 1) facts`,
    { requestIds: [...requestIds], registered: [...registered] }
  )
  return new Map(
    rows.map(
      ({
        request_id,
        order_lines,
        paid_otherwise,
        link_asks,
        link_at_most,
        adopting_asks_for_it,
        ...stored
      }) => {
        const books = { order_lines, paid_otherwise, link_asks, link_at_most, adopting_asks_for_it }
        return [request_id, { ...stored, ...weighOrder(stored, books) }]
      }
    )
  )
}

/** Computed from the order's lines. */
type Derived =
  | "order_unpaid"
  | "paid_by_another"
  | "link_amount"
  | "adopting_collection_id"
  | "needs_collection"
type StoredFacts = Omit<SettlementFacts, Exclude<Derived, "adopting_collection_id" | "needs_collection">>

interface OrderBooks {
  order_lines: OrderLines | null
  /** What was paid for the cart or order by others and not sent back. */
  paid_otherwise: string
  link_asks: string
  link_at_most: string | null
  /** False when the collection that may adopt the money has to be raised to its amount first. */
  adopting_asks_for_it: boolean
}

function weighOrder(
  { payment_captured, payment_refunded, adopting_collection_id, needs_collection }: StoredFacts,
  { order_lines, paid_otherwise, link_asks, link_at_most, adopting_asks_for_it }: OrderBooks
): Pick<SettlementFacts, Derived> {
  const isPaidOtherwise = MathBN.gt(paid_otherwise, 0)
  if (order_lines === null) {
    return {
      order_unpaid: null,
      paid_by_another: isPaidOtherwise,
      link_amount: null,
      adopting_collection_id,
      needs_collection,
    }
  }
  const own = MathBN.sub(payment_captured, payment_refunded)
  const order_unpaid = outstandingOf(order_lines, MathBN.add(paid_otherwise, own).toFixed())
  // An order that owes less by now is not paid with it.
  const isOwed = !isMoreThan(link_asks, order_unpaid)
  const isAskedFor = adopting_asks_for_it || amountsEqual(link_asks, order_unpaid)
  return {
    order_unpaid,
    paid_by_another: isPaidOtherwise && !isMoreThan(outstandingOf(order_lines, paid_otherwise), "0"),
    link_amount: linkAmount(order_unpaid, link_at_most),
    adopting_collection_id: isOwed && isAskedFor ? adopting_collection_id : null,
    needs_collection: isOwed && needs_collection,
  }
}

/** The facts of a session of a payment collection, before there is a session. */
export interface CollectionState extends Pick<
  SessionFacts,
  "currency_code" | "cart_id" | "order_id" | "email" | "is_paid" | "is_canceled" | "is_in_other_currency"
> {
  /** Something was captured in it and not sent back. Core takes no second payment in such a collection. */
  is_partly_paid: boolean
  collection_amount: string
  link_amount: string | null
}

/** Whether and how much of a collection can be paid. @returns undefined when there is no such collection */
export async function readCollectionState(
  knex: Knex,
  collectionId: string
): Promise<CollectionState | undefined> {
  const { rows } = await knex.raw<{ rows: (CollectionState & { link_at_most: string | null })[] }>(
    `SELECT pc.amount::text AS collection_amount, NULL AS link_amount,
            ${LINK_AT_MOST("cpc.cart_id")} AS link_at_most,
            pc.currency_code,
            cpc.cart_id,
            o.id AS order_id,
            ${PAYER_AND_STATE},
            EXISTS (SELECT 1 FROM payment p
                     WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL
                       AND (SELECT COALESCE(SUM(cap.amount), 0) FROM capture cap
                             WHERE cap.payment_id = p.id AND cap.deleted_at IS NULL)
                         > (SELECT COALESCE(SUM(ref.amount), 0) FROM refund ref
                             WHERE ref.payment_id = p.id AND ref.deleted_at IS NULL AND ${IS_REFUND_MADE})) AS is_partly_paid
       FROM payment_collection pc
       ${CART_AND_ORDER}
      WHERE pc.id = ? AND pc.deleted_at IS NULL
      LIMIT 1`,
    [collectionId]
  )
  const [found] = rows
  if (found === undefined) {
    return undefined
  }
  const { link_at_most, ...state } = found
  if (state.order_id === null) {
    return state
  }
  const owed = await readOwed(knex, state.order_id)
  return {
    ...state,
    is_paid: isPaid(state, owed),
    link_amount: linkAmount(owed, link_at_most),
  }
}

/** Never more than the order owes. @see LINK_AT_MOST */
export function linkAmount(owed: string, atMost: string | null): string {
  return MathBN.max(0, MathBN.min(owed, atMost ?? owed)).toFixed()
}
