import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { isMoreThan, orderExpiresAt, type DecidedFacts, type OrderTime } from "../../../decision"
import type { SettingsRegistry } from "../settings/settings-registry"
import { HAS_CANCELED_ORDER } from "./session-facts"
import {
  CAPTURED,
  IS_PAID_AGAIN,
  OTHER_PAYMENTS_NOW,
  OTHER_TRANSACTIONS,
  outstandingOf,
  readTotals,
  REFUNDED,
  type Total,
} from "./order-balance"
import {
  IS_CRYPTO,
  IS_WAITING_MONEY,
  IS_ORDER_DELETED,
  ORDER_OF_COLLECTION,
  ORDER_OF_REQUEST,
  REGISTERED_REFUND,
} from "./request-sql"

type AddedFact = "order_expires_at" | "order_unpaid" | "paid_by_another"

/** As the statement below reads it, without what only Query knows of the order. */
interface StoredFacts extends Omit<DecidedFacts, AddedFact>, OrderTime {
  request_id: string
  /** What was paid for the cart or order by others and not sent back. */
  paid_otherwise: string
  link_asks: string
  link_currency_code: string
  /**
   * A draft order that was made of its cart because of its money: `workflows/draft-of-cart.ts`. Core makes none of a
   * cart.
   */
  is_draft_of_cart: boolean
  /** The cart that its money is to complete: what the cart asks for decides. */
  completing_cart_id: string | null
}

/**
 * A session of another provider in these states may become a payment without further action. A session that was only
 * opened (`pending`) is no payment: any visitor can open one. Our own links are read at the gateway instead.
 */
const OTHER_SESSION = (states: string): string => `
  FROM payment_session other
 WHERE other.payment_collection_id IN (SELECT id FROM related_collection) AND other.deleted_at IS NULL
   AND NOT ${IS_CRYPTO("other.provider_id")} AND other.status ${states}`

const LINKS = "FROM crypto_payment_request q WHERE q.cart_id = r.cart_id AND q.deleted_at IS NULL"

/**
 * Start of the order's time: when it was placed with its first link, a payment that had stopped its time was cancelled,
 * or the merchant last asked for a link or changed the order. Null after an authorized, made or otherwise booked
 * payment, and for an order that the merchant has completed or archived. `decision/order-expiry.ts` says when it is
 * cancelled then.
 */
const ORDER_EXPIRES_FROM = `
  CASE WHEN r.cart_id IS NOT NULL AND NOT o.status IN ('completed', 'archived')
        AND NOT EXISTS (SELECT 1 FROM related_payment made WHERE made.canceled_at IS NULL OR made.captured > 0)
        AND NOT EXISTS (SELECT 1 ${OTHER_SESSION("IN ('authorized', 'captured')")})
        AND ${OTHER_TRANSACTIONS("o.id")} <= 0
    THEN GREATEST(o.created_at, (SELECT MAX(made.canceled_at) FROM related_payment made),
                  (SELECT GREATEST(MIN(q.created_at), MAX(q.offered_by_merchant_at)) ${LINKS})) END`

/** When a storefront last gave the order a way to pay. The new session of a replaced link counts too. */
const ORDER_PROLONGED_AT = `
  GREATEST((SELECT MAX(given.created_at) FROM payment_session given
             WHERE given.payment_collection_id IN (SELECT id FROM related_collection) AND given.deleted_at IS NULL),
           (SELECT MAX(q.created_at) ${LINKS}))`

/**
 * What a decision reads from core's tables, in one statement: all of it is of one moment.
 * `integration-tests/http/settings/core-tables.spec.ts` checks every name of core's tables and columns that our SQL
 * uses.
 */
const SETTLEMENT_FACTS = `SELECT facts.* FROM unnest(CAST(:requestIds AS text[])) AS wanted (id) CROSS JOIN LATERAL (
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
       SELECT opc.payment_collection_id FROM order_payment_collection opc
         JOIN request r ON r.linked_order_id = opc.order_id
        WHERE opc.deleted_at IS NULL
        UNION
       -- Of a row that was put on a draft of its cart, or whose collection core has replaced: another one.
       SELECT cpc.payment_collection_id FROM cart_payment_collection cpc
         JOIN request r ON r.cart_id = cpc.cart_id
        WHERE cpc.deleted_at IS NULL
     ), related_payment AS (
       SELECT p.id, p.payment_session_id, p.canceled_at, p.payment_collection_id,
              lower(p.currency_code) AS currency_code,
              ${CAPTURED} AS captured, ${REFUNDED} AS refunded
         FROM payment p
        WHERE p.deleted_at IS NULL
          AND p.payment_collection_id IN (SELECT id FROM related_collection)
     ), adopting AS (
       SELECT pc.id
         FROM request r
        CROSS JOIN related_collection candidate
        CROSS JOIN LATERAL (
          -- LIMIT keeps Postgres from hashing the whole table.
          SELECT * FROM payment_collection WHERE id = candidate.id AND deleted_at IS NULL LIMIT 1
        ) pc
        CROSS JOIN LATERAL (
          SELECT count(*) AS payments FROM payment p
           WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL AND p.canceled_at IS NULL
        ) made
        WHERE ${IS_WAITING_MONEY}
          AND pc.currency_code = r.currency_code AND pc.status <> 'canceled' AND made.payments = 0
          AND round(pc.amount, 2) = r.amount::numeric
          AND NOT EXISTS (SELECT 1 FROM payment_session ps
                            JOIN crypto_payment_request q ON q.session_id = ps.id AND q.deleted_at IS NULL
                           WHERE ps.payment_collection_id = pc.id AND ps.deleted_at IS NULL AND q.paid_at IS NOT NULL)
        ORDER BY pc.id = r.payment_collection_id DESC, pc.created_at
        LIMIT 1
     )
     SELECT r.id AS request_id,
            clock_timestamp() AS database_now,
            s.amount::text AS session_amount, s.currency_code AS session_currency_code,
            CASE WHEN s.id IS NOT NULL THEN LEAST(s.created_at, now()) END AS session_created_at,
            pc.amount::text AS collection_amount, pc.currency_code AS collection_currency_code,
            lower(COALESCE(o.currency_code, c.currency_code, pc.currency_code)) AS asked_currency_code,
            CASE WHEN o.id IS NULL AND c.id IS NOT NULL THEN pc.amount::text END AS asked_amount,
            (SELECT COALESCE(SUM(captured), 0) FROM related_payment
              WHERE payment_collection_id = pc.id AND currency_code = r.currency_code)::text AS collection_captured,
            r.cart_id,
            CASE WHEN o.id IS NULL AND r.paid_at IS NOT NULL AND c.completed_at IS NULL THEN c.id END AS completing_cart_id,
            own.id AS payment_id,
            COALESCE(own.captured, 0)::text AS payment_captured,
            COALESCE(own.refunded, 0)::text AS payment_refunded,
            ${REGISTERED_REFUND}::text AS registered_refund,
            o.id AS order_id,
            COALESCE(o.is_draft_order AND r.cart_id IS NOT NULL, false) AS is_draft_of_cart,
            ${HAS_CANCELED_ORDER} AS order_canceled,
            ${IS_ORDER_DELETED("r.linked_order_id")} AS order_deleted,
            COALESCE(own.captured > 0 AND round(booked.amount, 2) = round(own.captured, 2), false)
              AND NOT (r.cart_id IS NULL AND r.payment_collection_id IS NOT NULL AND r.collection_order_id IS NULL) AS order_booked,
            booked.amount::text AS order_booked_amount,
            (SELECT MIN(LEAST(cap.created_at, now())) FROM capture cap
              WHERE cap.payment_id = own.id AND cap.deleted_at IS NULL) AS first_captured_at,
            CASE WHEN o.id IS NOT NULL THEN ${OTHER_TRANSACTIONS("o.id")} ELSE 0 END
              + (SELECT COALESCE(SUM(captured - refunded), 0) FROM related_payment
                  WHERE id IS DISTINCT FROM own.id
                    AND currency_code = COALESCE(lower(o.currency_code), r.currency_code)) AS paid_otherwise,
            r.amount AS link_asks, r.currency_code AS link_currency_code,
            ${OTHER_PAYMENTS_NOW("o.id")}::text AS other_payments,
            ${IS_PAID_AGAIN("o.id")} AS is_paid_again,
            EXISTS (SELECT 1 ${OTHER_SESSION("NOT IN ('pending', 'error', 'canceled')")}
                       AND other.provider_id <> 'pp_system_default') AS is_other_payment_begun,
            r.provider_id <> ALL (:registered) AS provider_missing,
            CASE WHEN s.id IS NULL
                  AND NOT EXISTS (SELECT 1 FROM "order" d WHERE d.id = r.linked_order_id AND d.deleted_at IS NOT NULL)
              THEN (SELECT id FROM adopting) END AS adopting_collection_id,
            ${ORDER_EXPIRES_FROM} AS order_expires_from,
            ${ORDER_PROLONGED_AT} AS order_prolonged_at,
            (SELECT MAX(q.unpaid_ttl_minutes) ${LINKS}) AS unpaid_ttl_minutes,
            (SELECT MAX(other.created_at)
             ${OTHER_SESSION("NOT IN ('pending', 'error', 'canceled', 'authorized', 'captured')")}) AS order_payment_began_at
       FROM request r
       LEFT JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
       LEFT JOIN payment_collection pc ON pc.id = r.payment_collection_id AND pc.deleted_at IS NULL
       LEFT JOIN related_payment own ON own.payment_session_id = r.paid_session_id
       LEFT JOIN "order" o ON o.id = r.linked_order_id AND o.deleted_at IS NULL
       LEFT JOIN cart c ON c.id = r.cart_id AND c.deleted_at IS NULL
       CROSS JOIN LATERAL (
         SELECT COALESCE(SUM(t.amount), 0) AS amount
           FROM order_transaction t
           JOIN capture cap ON cap.id = t.reference_id AND cap.deleted_at IS NULL
          WHERE t.order_id = o.id AND t.reference = 'capture' AND t.deleted_at IS NULL AND cap.payment_id = own.id
       ) booked
      LIMIT 1) facts`

/** What Medusa's database says about payments, carts and orders. Nothing here writes. */
export class Facts {
  constructor(
    private readonly knex: Knex,
    private readonly settings: SettingsRegistry
  ) {}

  async read(requestId: string): Promise<DecidedFacts> {
    const facts = (await this.readAll([requestId])).get(requestId)
    if (facts === undefined) {
      throw new Error(`the row ${requestId} or its order is gone`)
    }
    return facts
  }

  /** The same for several. @returns by row id, without rows that are gone, or whose order went away meanwhile */
  async readAll(requestIds: readonly string[]): Promise<Map<string, DecidedFacts>> {
    const registered = await this.settings.listRegistered()
    const { rows } = await this.knex.raw<{ rows: StoredFacts[] }>(SETTLEMENT_FACTS, {
      requestIds: [...requestIds],
      registered: [...registered],
    })
    const [orders, carts] = await Promise.all([
      readTotals(
        "order",
        rows.map(({ order_id }) => order_id)
      ),
      readTotals(
        "cart",
        rows.map(({ completing_cart_id }) => completing_cart_id)
      ),
    ])
    return new Map(
      rows.flatMap((stored) => {
        const order = orders.get(stored.order_id ?? "")
        const cart = carts.get(stored.completing_cart_id ?? "")
        const isGone = stored.order_id !== null && order === undefined
        return isGone ? [] : [[stored.request_id, toFacts(stored, order, cart)]]
      })
    )
  }

  /** The database's time, by which everything is dated and compared. */
  async now(): Promise<Date> {
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
    return rows[0].now
  }
}

function toFacts(stored: StoredFacts, order: Total | undefined, cart: Total | undefined): DecidedFacts {
  const { paid_otherwise, link_asks } = stored
  const order_expires_at = orderExpiresAt(stored)
  const isPaidOtherwise = MathBN.gt(paid_otherwise, 0)
  if (order === undefined) {
    const asked = cart && {
      asked_amount: MathBN.convert(cart.raw_total).toFixed(),
      asked_currency_code: cart.currency_code,
    }
    return { ...stored, ...asked, order_expires_at, order_unpaid: null, paid_by_another: isPaidOtherwise }
  }
  // Money of another currency pays nothing of the order.
  const isOfOrder = stored.asked_currency_code === stored.link_currency_code
  const own = isOfOrder ? MathBN.sub(stored.payment_captured, stored.payment_refunded) : 0
  const order_unpaid = outstandingOf(order, MathBN.add(paid_otherwise, own).toFixed())
  // An order that owes less by now is not paid with it, except one that was made because of this money.
  const isOwed = !isMoreThan(link_asks, order_unpaid) || (stored.is_draft_of_cart && !isPaidOtherwise)
  return {
    ...stored,
    order_expires_at,
    order_unpaid,
    paid_by_another: isPaidOtherwise && !isMoreThan(outstandingOf(order, paid_otherwise), "0"),
    adopting_collection_id: isOwed ? stored.adopting_collection_id : null,
  }
}
