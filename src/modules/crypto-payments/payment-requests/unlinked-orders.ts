import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IS_CANCELED, PAGE_BEGIN, TURN_PAGE } from "./request-sql"

/**
 * Orders that core began for a cart and never linked to it, because the process died in between. Core writes the order
 * in one transaction, and the link, the reservations and `completed_at` in others: whoever completes the cart again
 * without looking places a second order.
 *
 * Core writes the links to the cart and to its payment collection in parallel, so an order may have the second one
 * alone. Otherwise nothing in the order names its cart. Two facts together do:
 * - Core stores a `workflow_execution` before the first step of `complete-cart`. A process that dies leaves it in the
 *   state `not_started`, with the cart's id as its input. It bounds the time in which the order was created.
 * - Core copies the cart's addresses with their `created_at`, to the millisecond.
 *
 * Of a cart without an address the second is missing. An order with the same buyer and content may be somebody else's
 * work, so it needs manual review.
 */
export interface UnlinkedOrder {
  order_id: string
  /**
   * Whether anybody has worked with the order, or may have made it: a fulfillment, a booking, a change, another status,
   * or no address. Core itself writes none of these before it links the order, but for the capture of the cart's own
   * payment.
   */
  is_touched: boolean
  /** It was placed, and has lost its cart since: its completion or a settle has ended, or its `order.placed` was heard. */
  was_placed: boolean
  /** Somebody has cancelled the order: it prevents nothing. */
  is_canceled: boolean
  /** The order is so young that core may be about to link it, if the cart's lock was lost. */
  may_be_under_way: boolean
}

/** Clocks of instances differ: an order's id has its time from the instance, the execution from another statement. */
const CLOCK_MARGIN = "interval '10 minutes'"
/**
 * The longest a completion may take between its first row and the order's. It holds the cart's lock for two minutes.
 */
const COMPLETION = "interval '2 minutes'"

/** The first ten characters of the ULIDs of a moment. An order's id begins with its time. */
const TIME_OF_ULID = (moment: string): string => `(
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
           ((floor(extract(epoch FROM ${moment}) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
    FROM generate_series(0, 9) place)`

/**
 * Between which ids the orders are that a completion may have written which began at this moment, as columns: the
 * primary key gives the orders of about twenty minutes.
 */
export const ID_RANGE_OF_COMPLETION = (begunAt: string): string => `
  'order_' || ${TIME_OF_ULID(`(${begunAt} - ${CLOCK_MARGIN})`)} AS first_id,
  'order_' || ${TIME_OF_ULID(`(${begunAt} + ${COMPLETION} + ${CLOCK_MARGIN})`)} AS last_id`

/** A completion `e` whose process died, or that core could not take back. */
export const IS_BROKEN_OFF = `(e.workflow_id = 'complete-cart' AND e.deleted_at IS NULL
  AND e.state IN ('not_started', 'invoking', 'waiting_to_compensate', 'compensating', 'failed'))`

/** The cart of a completion `e`. */
export const CART_OF_COMPLETION = "e.context #>> '{data,payload,id}'"

/** The completions `e` of a cart `c` that were broken off, read by the index on state and `updated_at`. */
const JOIN_BROKEN_OFF = `JOIN workflow_execution e
  ON ${IS_BROKEN_OFF} AND e.updated_at >= c.created_at - ${CLOCK_MARGIN} AND ${CART_OF_COMPLETION} = c.id`

/** Orders of other carts are left alone. */
const HAS_REQUEST =
  "EXISTS (SELECT 1 FROM crypto_payment_request r WHERE r.cart_id = c.id AND r.deleted_at IS NULL)"

const CART_CONTENT = `(
  SELECT jsonb_build_object(
    'items', (SELECT jsonb_agg(jsonb_build_array(i.variant_id, i.title, i.quantity::numeric, trim_scale(i.unit_price)) ORDER BY
                i.variant_id, i.title, i.quantity, i.unit_price)
                FROM cart_line_item i WHERE i.cart_id = c.id AND i.deleted_at IS NULL),
    'shipping', (SELECT jsonb_agg(jsonb_build_array(m.shipping_option_id, trim_scale(m.amount)) ORDER BY m.shipping_option_id, m.amount)
                   FROM cart_shipping_method m WHERE m.cart_id = c.id AND m.deleted_at IS NULL)))`

const ORDER_CONTENT = `(
  SELECT jsonb_build_object(
    'items', (SELECT jsonb_agg(jsonb_build_array(l.variant_id, l.title, trim_scale(i.quantity), trim_scale(l.unit_price)) ORDER BY
                l.variant_id, l.title, i.quantity, l.unit_price)
                FROM order_item i JOIN order_line_item l ON l.id = i.item_id
               WHERE i.order_id = o.id AND i.version = o.version AND i.deleted_at IS NULL),
    'shipping', (SELECT jsonb_agg(jsonb_build_array(m.shipping_option_id, trim_scale(m.amount)) ORDER BY m.shipping_option_id, m.amount)
                   FROM order_shipping s JOIN order_shipping_method m ON m.id = s.shipping_method_id
                  WHERE s.order_id = o.id AND s.version = o.version AND s.deleted_at IS NULL)))`

/** Linked to this cart it is placed, and linked to another it is that cart's. */
export const IS_WITHOUT_CART = `o.deleted_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = o.id AND oc.deleted_at IS NULL)`

/** So young an order may be about to be linked. Its date is of the server that made it, whose clock may be ahead. */
export const MAY_BE_UNDER_WAY =
  "(o.created_at BETWEEN now() - interval '30 seconds' AND now() + interval '30 seconds')"

const IS_TOUCHED = `(o.status <> 'pending' OR o.version > 1
           OR EXISTS (SELECT 1 FROM order_transaction t
                       WHERE t.order_id = o.id AND t.deleted_at IS NULL
                         AND NOT EXISTS (SELECT 1 FROM cart_payment_collection cpc
                                           JOIN payment p ON p.payment_collection_id = cpc.payment_collection_id
                                            AND p.deleted_at IS NULL
                                           JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
                                          WHERE cpc.cart_id = c.id AND cpc.deleted_at IS NULL
                                            AND t.reference = 'capture' AND t.reference_id = cap.id))
           OR EXISTS (SELECT 1 FROM order_change h WHERE h.order_id = o.id AND h.deleted_at IS NULL)
           OR EXISTS (SELECT 1 FROM order_fulfillment f WHERE f.order_id = o.id AND f.deleted_at IS NULL))`

/** The order `o` was placed for the cart `c`. A row that only names it may have been made for an order that was begun. */
export const WAS_PLACED = `(EXISTS (SELECT 1 FROM crypto_payment_request q
  WHERE q.cart_id = c.id AND q.order_id = o.id AND q.deleted_at IS NULL
    AND (q.settled_at IS NOT NULL OR q.order_announced_at IS NOT NULL))
 OR NOT EXISTS (SELECT 1 FROM order_cart other WHERE other.cart_id = c.id AND other.deleted_at IS NULL)
    AND EXISTS (SELECT 1 FROM workflow_execution e
                 WHERE e.workflow_id = 'complete-cart' AND e.state = 'done' AND e.deleted_at IS NULL
                   AND o.created_at BETWEEN e.created_at - ${CLOCK_MARGIN} AND e.created_at + ${COMPLETION} + ${CLOCK_MARGIN}
                   AND ${CART_OF_COMPLETION} = c.id))`

const SELECT = (isTouched: string): string => `
  SELECT o.id AS order_id,
         ${isTouched} AS is_touched,
         ${WAS_PLACED} AS was_placed,
         ${IS_CANCELED} AS is_canceled,
         ${MAY_BE_UNDER_WAY} AS may_be_under_way
    FROM cart c`

/** The addresses by which an order `o` is known to be of a cart `c`. */
export const ADDRESSES = `
    LEFT JOIN cart_address cs ON cs.id = c.shipping_address_id
    LEFT JOIN cart_address cb ON cb.id = c.billing_address_id
    LEFT JOIN order_address os ON os.id = o.shipping_address_id
    LEFT JOIN order_address ob ON ob.id = o.billing_address_id`

/** An order `o` has no cart and may be of a cart `c`, by all but its addresses and content. */
const MAY_BE_OF_CART = `${IS_WITHOUT_CART}
     AND NOT o.is_draft_order
     AND o.currency_code = c.currency_code
     AND o.region_id IS NOT DISTINCT FROM c.region_id
     AND o.sales_channel_id IS NOT DISTINCT FROM c.sales_channel_id
     AND NOT EXISTS (
       SELECT 1 FROM order_payment_collection opc
        WHERE opc.order_id = o.id AND opc.deleted_at IS NULL
          AND opc.payment_collection_id NOT IN (SELECT cpc.payment_collection_id FROM cart_payment_collection cpc
                                                 WHERE cpc.cart_id = c.id AND cpc.deleted_at IS NULL))`

const HAS_ADDRESS_OF_CART = "COALESCE(os.created_at = cs.created_at OR ob.created_at = cb.created_at, false)"

/** An order `o` was begun for a cart `c`, at a time when a completion of the cart was broken off. */
export const IS_BEGUN_FOR_CART = `${MAY_BE_OF_CART} AND ${HAS_ADDRESS_OF_CART}`

/** Without an address on either side, the buyer and all of the content are the same. */
const LOOKS_BEGUN_FOR_CART = `${MAY_BE_OF_CART}
     AND os.id IS NULL AND ob.id IS NULL AND cs.id IS NULL AND cb.id IS NULL
     AND o.email IS NOT DISTINCT FROM c.email AND o.customer_id IS NOT DISTINCT FROM c.customer_id
     AND ${CART_CONTENT} = ${ORDER_CONTENT}`

/** So many completions that were broken off are looked at each time. A round takes `(all of them / PAGE + 1)` minutes. */
const PAGE = 500
const SWEEP = "broken_off_completions"

/** A completion holds the cart's lock for two minutes at most. */
const IS_LEFT_BEHIND = `NOT ${IS_CANCELED} AND NOT ${IS_TOUCHED} AND NOT ${WAS_PLACED}
  AND o.created_at < now() - interval '150 seconds'`

interface IdRange {
  first_id: string
  last_id: string
}

/** Finds what processes that died in core's completion of a cart have left. */
export class UnlinkedOrders {
  constructor(private readonly knex: Knex) {}

  /**
   * What a dead process has left of a cart that has a payment request, and an order that was placed for it and has lost
   * its links. To be called under the cart's lock: a completion that is under way looks the same.
   *
   * @returns oldest first; empty after three indexed reads when no completion of the cart was broken off
   */
  async find(cartId: string): Promise<UnlinkedOrder[]> {
    const begun = await this.readBrokenOff(cartId)
    const found = await Promise.all([
      ...begun.map(async (range) => await this.findInRange(cartId, range)),
      this.findPlaced(cartId),
      // Last, as it counts for more than a likeness: the link is core's own.
      this.findOfCollection(cartId),
    ])
    const byId = new Map(found.flat().map((order) => [order.order_id, order]))
    return [...byId.values()].sort((a, b) => a.order_id.localeCompare(b.order_id))
  }

  /**
   * Carts without an order for which core began one, longer ago than a completion takes, that nobody has worked with.
   * Whoever completes such a cart takes the order back first; this finds those that nobody completes any more, as when
   * the money was sent back meanwhile or never came. Each call has the next page; of its carts, those that cannot be
   * cleared do not always come first.
   */
  async listCarts(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH page AS MATERIALIZED (
         SELECT e.id, e.updated_at, ${CART_OF_COMPLETION} AS cart_id, e.created_at FROM workflow_execution e
          WHERE ${IS_BROKEN_OFF} AND (e.updated_at, e.id) < ${PAGE_BEGIN(SWEEP)}
          ORDER BY e.updated_at DESC, e.id DESC LIMIT :size
       ), turned AS (${TURN_PAGE(SWEEP, "updated_at", ":size")}
       ), begun AS MATERIALIZED (
         SELECT c.id, ${ID_RANGE_OF_COMPLETION("page.created_at")}
           FROM page JOIN cart c ON c.id = page.cart_id
          WHERE ${HAS_REQUEST}
            AND NOT EXISTS (SELECT 1 FROM order_cart placed WHERE placed.cart_id = c.id AND placed.deleted_at IS NULL)
       )
       SELECT c.id FROM begun JOIN cart c ON c.id = begun.id
        WHERE EXISTS (SELECT 1 FROM "order" o ${ADDRESSES}
                       WHERE o.id BETWEEN begun.first_id AND begun.last_id AND ${IS_BEGUN_FOR_CART} AND ${IS_LEFT_BEHIND})
           OR EXISTS (SELECT 1 FROM cart_payment_collection own
                        JOIN order_payment_collection link
                          ON link.payment_collection_id = own.payment_collection_id AND link.deleted_at IS NULL
                        JOIN "order" o ON o.id = link.order_id
                       WHERE own.cart_id = c.id AND own.deleted_at IS NULL AND ${IS_WITHOUT_CART} AND ${IS_LEFT_BEHIND})
        ORDER BY random() LIMIT :limit`,
      { size: PAGE, limit }
    )
    return [...new Set(rows.map(({ id }) => id))]
  }

  /**
   * Whether core died before it reserved the stock of an order that it placed. Core reserves after the order, while it
   * writes the links. An order that anybody has worked with is left alone: its stock may have been shipped, or freed on
   * purpose. So a reservation that was deleted counts as one.
   */
  async isReservationLost(cartId: string, orderId: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `SELECT 1 FROM "order" o
        WHERE o.id = :orderId AND o.version = 1 AND o.status = 'pending' AND o.deleted_at IS NULL
          AND EXISTS (SELECT 1 FROM cart c
                        ${JOIN_BROKEN_OFF}
                       WHERE c.id = :cartId)
          AND NOT EXISTS (SELECT 1 FROM order_item i
                            JOIN reservation_item r ON r.line_item_id = i.item_id
                           WHERE i.order_id = o.id AND i.deleted_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM order_fulfillment f WHERE f.order_id = o.id AND f.deleted_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM order_change h WHERE h.order_id = o.id AND h.deleted_at IS NULL)`,
      { cartId, orderId }
    )
    return rows.length > 0
  }

  /** @returns a range of each completion of the cart that has not ended */
  private async readBrokenOff(cartId: string): Promise<IdRange[]> {
    const { rows } = await this.knex.raw<{ rows: IdRange[] }>(
      `SELECT ${ID_RANGE_OF_COMPLETION("e.created_at")}
         FROM cart c
         ${JOIN_BROKEN_OFF}
        WHERE c.id = ? AND ${HAS_REQUEST}
        ORDER BY e.created_at`,
      [cartId]
    )
    return rows
  }

  /** The orders that the completion of that time may have begun. */
  private async findInRange(cartId: string, range: IdRange): Promise<UnlinkedOrder[]> {
    return await this.findWhere(
      `JOIN "order" o ON o.id BETWEEN :first_id AND :last_id
       ${ADDRESSES}
       WHERE c.id = :cartId AND ((${IS_BEGUN_FOR_CART}) OR (${LOOKS_BEGUN_FOR_CART}))`,
      { cartId, ...range },
      `(${IS_TOUCHED} OR NOT ${HAS_ADDRESS_OF_CART})`
    )
  }

  /** The order that the rows of the cart name, when both of its links are gone. */
  private async findPlaced(cartId: string): Promise<UnlinkedOrder[]> {
    return await this.findWhere(
      `JOIN "order" o ON o.id IN (SELECT q.order_id FROM crypto_payment_request q
                                   WHERE q.cart_id = :cartId AND q.deleted_at IS NULL)
        WHERE c.id = :cartId AND ${IS_WITHOUT_CART} AND ${WAS_PLACED}`,
      { cartId }
    )
  }

  /** Orders that are linked to the cart's payment collection and to no cart. */
  private async findOfCollection(cartId: string): Promise<UnlinkedOrder[]> {
    return await this.findWhere(
      `JOIN cart_payment_collection own ON own.cart_id = c.id AND own.deleted_at IS NULL
         JOIN order_payment_collection link
           ON link.payment_collection_id = own.payment_collection_id AND link.deleted_at IS NULL
         JOIN "order" o ON o.id = link.order_id
        WHERE c.id = :cartId AND ${HAS_REQUEST} AND ${IS_WITHOUT_CART}`,
      { cartId }
    )
  }

  /** @param conditions from the joins on, of orders `o` of a cart `c` */
  private async findWhere(
    conditions: string,
    bindings: Record<string, string>,
    isTouched = IS_TOUCHED
  ): Promise<UnlinkedOrder[]> {
    return (await this.knex.raw<{ rows: UnlinkedOrder[] }>(`${SELECT(isTouched)} ${conditions}`, bindings))
      .rows
  }
}
