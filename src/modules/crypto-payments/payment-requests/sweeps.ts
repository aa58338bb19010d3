import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IS_PAID_AGAIN, WRONG_SUMS } from "./order-balance"
import {
  DUE_NOW,
  HAS_CASE_THAT_EXPLAINS_MONEY,
  IDS_OF_ORDER,
  IS_CANCELED,
  IS_FREE,
  ORDER_OF_COLLECTION,
  PAGE_BEGIN,
  REQUESTS,
  TURN_PAGE,
} from "./request-sql"

/** The newest settled payments are checked every minute, the older ones in `(settled payments / PAGE + 1)` minutes. */
const NEWEST = 1000
const PAGE = 20_000
/** The next tick reads the same page again and makes the others due. */
const MOST_MADE_DUE = 500
const SETTLED_SWEEP = "settled_orders"

/**
 * Which settled payments of `page` a settle would change: the order is gone or cancelled, has lost its cart, has not
 * booked exactly the capture or lacks it in its sums, or was paid again. `LIMIT 1` keeps Postgres from hashing whole
 * tables.
 */
const LOST = `
  SELECT r.id FROM page r
    LEFT JOIN LATERAL (
      SELECT oc.order_id FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL LIMIT 1
    ) cart ON true
    LEFT JOIN LATERAL (
      SELECT o.id, o.version FROM "order" o
       WHERE o.id = CASE WHEN r.cart_id IS NULL THEN ${ORDER_OF_COLLECTION} ELSE cart.order_id END
         AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
       LIMIT 1
    ) placed ON true
    LEFT JOIN LATERAL (
      SELECT round(SUM(cap.amount), 2) AS captured,
             round(SUM((SELECT SUM(t.amount) FROM order_transaction t
                         WHERE t.reference_id = cap.id AND t.reference = 'capture' AND t.order_id = placed.id
                           AND t.deleted_at IS NULL)), 2) AS booked
        FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
       WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
    ) sums ON true
   CROSS JOIN LATERAL (SELECT count(*) > 0 AS are_wrong FROM ${WRONG_SUMS("placed")}) books
   WHERE placed.id IS NULL
      OR (r.cart_id IS NOT NULL AND cart.order_id IS NULL)
      OR sums.captured IS NULL
      OR ${IS_PAID_AGAIN("placed.id")}
      OR sums.booked IS DISTINCT FROM sums.captured
      OR books.are_wrong
   LIMIT :most`

/** The row was settled with a cart's order before that time, and our subscriber has not received `order.placed`. */
export const IS_UNANNOUNCED = (since: string): string => `(
  r.order_announced_at IS NULL AND r.cart_id IS NOT NULL AND r.deleted_at IS NULL
  AND (r.state = 'captured' OR r.state = 'refunded' AND r.order_id IS NOT NULL)
  AND r.settled_at < now() - interval '${since}')`

/** When the row knew of its payment, or a day before it was settled. Servers' clocks may be off by ten minutes. */
const KNEW_AT = "GREATEST(r.paid_at - interval '10 minutes', r.settled_at - interval '1 day')"

/**
 * The order of the row's cart, if neither cancelled nor deleted. An order that was placed and captured before the row
 * knew of its payment was announced then: the row was restored from an older backup. `LIMIT 1` keeps Postgres from
 * hashing whole tables.
 */
export const ORDER_TO_ANNOUNCE = `
  SELECT o.id AS order_id, o.created_at AS placed_at FROM order_cart oc
    JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL AND o.canceled_at IS NULL
   WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
     AND (o.created_at > ${KNEW_AT}
          OR NOT EXISTS (SELECT 1 FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
                          WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
                            AND cap.created_at < ${KNEW_AT}))
   LIMIT 1`

export const IS_CART_UNANNOUNCED = `NOT EXISTS (SELECT 1 FROM ${REQUESTS} q
  WHERE q.cart_id = r.cart_id AND q.order_announced_at IS NOT NULL AND q.deleted_at IS NULL)`

/** Sent once, and again half an hour after the settle: the bus may have lost it. More would burden a slow bus. */
const IS_PLACED_NOT_SENT = `(r.order_placed_sent_at IS NULL
  OR r.order_placed_sent_at < r.settled_at + interval '30 minutes'
     AND now() BETWEEN r.settled_at + interval '30 minutes' AND r.settled_at + interval '1 hour')`

interface UnannouncedOrder {
  order_id: string
  request_ids: string[]
}

/** The condition of the partial index that both pages below use. */
const IS_SETTLED_ON_ORDER = `r.state = 'captured' AND r.settled_at IS NOT NULL AND r.order_id IS NOT NULL
  AND r.attention_reason IS DISTINCT FROM 'paid_without_order' AND r.next_check_at IS NULL AND r.deleted_at IS NULL`

/**
 * Queries that find from stored state what a lost event, subscriber, middleware or in-memory queue would have reported,
 * and make it due. docs/architecture.md lists which sweep replaces what.
 */
export class Sweeps {
  constructor(private readonly knex: Knex) {}

  /** Makes due the settled payments of `LOST`. */
  async makeLostOrdersDue(): Promise<string[]> {
    const turned = TURN_PAGE(SETTLED_SWEEP, "settled_at", ":limit", "(SELECT count(*) FROM lost) < :most")
    const newest = await this.makeLostDue("", "", NEWEST)
    const begin = `AND (r.settled_at, r.id) < ${PAGE_BEGIN(SETTLED_SWEEP)}`
    return [...newest, ...(await this.makeLostDue(begin, `, turned AS (${turned})`, PAGE))]
  }

  private async makeLostDue(condition: string, turned: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH page AS MATERIALIZED (
         SELECT r.id, r.settled_at, r.cart_id, r.payment_collection_id, r.paid_session_id,
                r.other_payments FROM ${REQUESTS} r
          WHERE ${IS_SETTLED_ON_ORDER} ${condition}
          ORDER BY r.settled_at DESC, r.id DESC LIMIT :limit
       ), lost AS (${LOST})${turned}
       UPDATE ${REQUESTS} r SET ${DUE_NOW()}
         FROM lost WHERE r.id = lost.id AND r.next_check_at IS NULL RETURNING r.id`,
      { limit, most: MOST_MADE_DUE }
    )
    return rows.map(({ id }) => id)
  }

  /**
   * Makes due the settled payments whose order was cancelled, paid again by another provider or marked as paid, by the
   * store's newest captures and transactions. Core books a refund when it cancels a paid order, even if the provider
   * refuses to refund. `makeLostOrdersDue` finds the rest: too many between two ticks, or no transaction.
   */
  async makeNewlyBookedDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      // Core's ids begin with the time, and only their index tells which are new.
      `WITH captured AS MATERIALIZED (
         SELECT cap.payment_id FROM capture cap WHERE cap.deleted_at IS NULL ORDER BY cap.id DESC LIMIT :newest
       ), booked AS MATERIALIZED (
         SELECT t.order_id, t.reference FROM order_transaction t
          WHERE t.deleted_at IS NULL ORDER BY t.id DESC LIMIT :newest
       ), changed AS MATERIALIZED (
         SELECT linked.order_id FROM captured
          CROSS JOIN LATERAL (
            SELECT p.payment_collection_id FROM payment p
             WHERE p.id = captured.payment_id AND p.deleted_at IS NULL AND p.provider_id NOT LIKE 'pp\\_crypto\\_%'
             LIMIT 1
          ) other
          CROSS JOIN LATERAL (
            SELECT opc.order_id FROM order_payment_collection opc
             WHERE opc.payment_collection_id = other.payment_collection_id AND opc.deleted_at IS NULL
             LIMIT 1
          ) linked
         UNION
         SELECT order_id FROM booked WHERE COALESCE(reference, '') <> 'capture'
       ), found AS (
         SELECT settled.id FROM changed
          CROSS JOIN LATERAL (
            SELECT r.id FROM ${REQUESTS} r
             WHERE r.order_id = changed.order_id AND r.state = 'captured' AND r.settled_at IS NOT NULL
               AND (r.next_check_at IS NULL OR r.next_check_at > now()) AND r.deleted_at IS NULL
               AND (${IS_PAID_AGAIN("changed.order_id")}
                    OR EXISTS (SELECT 1 FROM "order" o WHERE o.id = changed.order_id AND ${IS_CANCELED}))
             LIMIT 1
          ) settled
          LIMIT :most
       )
       UPDATE ${REQUESTS} r SET ${DUE_NOW()}
         FROM found WHERE r.id = found.id RETURNING r.id`,
      { newest: NEWEST, most: MOST_MADE_DUE }
    )
    return rows.map(({ id }) => id)
  }

  /** Makes due what is paid and unfinished, has no case that explains it, and would not be checked again. */
  async makeForgottenDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET next_check_at = now()
        WHERE r.id IN (
          SELECT r.id FROM ${REQUESTS} r
           WHERE r.next_check_at IS NULL AND r.settled_at IS NULL
             AND NOT ${HAS_CASE_THAT_EXPLAINS_MONEY} AND r.paid_at IS NOT NULL AND r.state IN ('paid', 'captured')
             AND r.deleted_at IS NULL AND ${IS_FREE}
           LIMIT ${String(MOST_MADE_DUE)})
        RETURNING r.id`
    )
    return rows.map(({ id }) => id)
  }

  /** Notes that `order.placed` was received. From then on the rows know it, even if the order's links change. */
  async noteOrderAnnounced(orderId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET order_announced_at = now(), order_id = CASE WHEN r.cart_id IS NULL THEN r.order_id ELSE :orderId END
        WHERE r.order_announced_at IS NULL AND r.id IN (${IDS_OF_ORDER(":orderId")})`,
      { orderId }
    )
  }

  /** Paid orders without a received `order.placed`: core died before, or the bus lost it. Each twice at most. */
  async listUnannouncedOrders(limit: number): Promise<UnannouncedOrder[]> {
    const { rows } = await this.knex.raw<{ rows: UnannouncedOrder[] }>(
      `WITH silent AS MATERIALIZED (
         SELECT r.id, r.cart_id, r.paid_at, r.settled_at, r.paid_session_id FROM ${REQUESTS} r
          WHERE ${IS_UNANNOUNCED("1 minute")} AND ${IS_PLACED_NOT_SENT}
          ORDER BY r.settled_at LIMIT :limit
       ), found AS (
         SELECT r.id, placed.order_id FROM silent r CROSS JOIN LATERAL (${ORDER_TO_ANNOUNCE}) placed
          WHERE ${IS_CART_UNANNOUNCED} AND GREATEST(r.settled_at, placed.placed_at) > now() - interval '1 day'
       ), gone AS (
         -- Those of an order that is gone, or is old: they would keep the others out of the next look.
         UPDATE ${REQUESTS} r SET order_placed_sent_at = now() FROM silent
          WHERE r.id = silent.id AND r.id NOT IN (SELECT id FROM found)
       )
       SELECT order_id, array_agg(id ORDER BY id) AS request_ids FROM found GROUP BY order_id`,
      { limit }
    )
    return rows
  }

  /** Claims the sending of an order's `order.placed`. @returns false when somebody else has claimed it */
  async takeUnannouncedOrder({ request_ids }: UnannouncedOrder): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET order_placed_sent_at = now()
        WHERE r.id = ANY(:request_ids) AND r.order_announced_at IS NULL AND ${IS_PLACED_NOT_SENT} RETURNING r.id`,
      { request_ids }
    )
    return rows.length > 0
  }

  async giveUnannouncedOrderBack({ request_ids }: UnannouncedOrder): Promise<void> {
    await this.knex(REQUESTS).whereIn("id", request_ids).update({ order_placed_sent_at: null })
  }
}
