import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ADDRESSES, IS_CANCELED, PAGE_BEGIN, TURN_PAGE } from "./request-sql"

/**
 * Orders that core began for a cart and never linked to it, because the process died in between. Core writes the order
 * in one transaction, and the link, the reservations and `completed_at` in others. Completing such a cart again without
 * this check places a second order.
 *
 * Core writes the links to the cart and to its payment collection in parallel, so an order may have only the second
 * one. Otherwise nothing in the order names its cart, but two facts together do:
 * - Core stores a `workflow_execution` before the first step of `complete-cart`. A process that dies leaves it in the
 *   state `not_started`, with the cart's id as its input. It limits the time in which the order was created.
 * - Core copies the cart's addresses with their `created_at`, to the millisecond.
 *
 * A cart without an address lacks the second fact. An order with the same buyer and content may be somebody else's
 * work, so it needs manual review.
 */
export interface UnlinkedOrder {
  order_id: string
  /**
   * Whether anybody may have made the order or worked with it: a fulfillment, a booking, a change, another status, or
   * no address. Before the link, core writes none of these except the capture of the cart's own payment.
   */
  is_touched: boolean
  /** It was placed and has lost its cart: its completion or a settle has ended, or `order.placed` was received. */
  was_placed: boolean
  is_canceled: boolean
  /** The order is so young that core may be about to link it, if the cart's lock was lost. */
  may_be_under_way: boolean
}

/** Clocks of instances differ: an order's id has its time from the instance, the execution from another statement. */
const CLOCK_MARGIN = "interval '10 minutes'"
/** The longest time between the first row of a completion and the order's row. The cart's lock lasts two minutes. */
const COMPLETION = "interval '2 minutes'"

/** The first ten characters of a ULID are its time. An order's id contains a ULID. */
const TIME_OF_ULID = (moment: string): string => `(
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
           ((floor(extract(epoch FROM ${moment}) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
    FROM generate_series(0, 9) place)`

/** The range of order ids of a completion that began at this moment: by primary key, the orders of twenty minutes. */
export const ID_RANGE_OF_COMPLETION = (begunAt: string): string => `
  'order_' || ${TIME_OF_ULID(`(${begunAt} - ${CLOCK_MARGIN})`)} AS first_id,
  'order_' || ${TIME_OF_ULID(`(${begunAt} + ${COMPLETION} + ${CLOCK_MARGIN})`)} AS last_id`

/** A completion `e` whose process died, or that core could not take back. */
export const IS_BROKEN_OFF = `(e.workflow_id = 'complete-cart' AND e.deleted_at IS NULL
  AND e.state IN ('not_started', 'invoking', 'waiting_to_compensate', 'compensating', 'failed'))`

export const CART_OF_COMPLETION = "e.context #>> '{data,payload,id}'"

/** The interrupted completions `e` of a cart `c`, read by the index on state and `updated_at`. */
const JOIN_BROKEN_OFF = `JOIN workflow_execution e
  ON ${IS_BROKEN_OFF} AND e.updated_at >= c.created_at - ${CLOCK_MARGIN} AND ${CART_OF_COMPLETION} = c.id`

/** Carts without a payment request are left alone. */
const HAS_REQUEST =
  "EXISTS (SELECT 1 FROM crypto_payment_request r WHERE r.cart_id = c.id AND r.deleted_at IS NULL)"

const CART_CONTENT = `(
  ARRAY(SELECT (i.variant_id, i.title, trim_scale(i.quantity::numeric), trim_scale(i.unit_price))::text
          FROM cart_line_item i WHERE i.cart_id = c.id AND i.deleted_at IS NULL ORDER BY 1)
  || ARRAY(SELECT (m.shipping_option_id, trim_scale(m.amount))::text
             FROM cart_shipping_method m WHERE m.cart_id = c.id AND m.deleted_at IS NULL ORDER BY 1))`

const ORDER_CONTENT = `(
  ARRAY(SELECT (l.variant_id, l.title, trim_scale(i.quantity), trim_scale(l.unit_price))::text
          FROM order_item i JOIN order_line_item l ON l.id = i.item_id
         WHERE i.order_id = o.id AND i.version = o.version AND i.deleted_at IS NULL ORDER BY 1)
  || ARRAY(SELECT (m.shipping_option_id, trim_scale(m.amount))::text
             FROM order_shipping s JOIN order_shipping_method m ON m.id = s.shipping_method_id
            WHERE s.order_id = o.id AND s.version = o.version AND s.deleted_at IS NULL ORDER BY 1))`

/** An order with a link to a cart is placed, for this cart or for another. */
export const IS_WITHOUT_CART = `o.deleted_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = o.id AND oc.deleted_at IS NULL)`

/** Core may be about to link such a young order. Its date is from a server whose clock may be fast. */
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

/** The order `o` was placed for the cart `c`. A row that only names it may be about an order that was begun. */
export const WAS_PLACED = `(EXISTS (SELECT 1 FROM crypto_payment_request q
  WHERE q.cart_id = c.id AND q.order_id = o.id AND q.deleted_at IS NULL
    AND (q.settled_at IS NOT NULL OR q.order_announced_at IS NOT NULL))
 OR NOT EXISTS (SELECT 1 FROM order_cart other WHERE other.cart_id = c.id AND other.deleted_at IS NULL)
    AND EXISTS (SELECT 1 FROM workflow_execution e
                 WHERE e.workflow_id = 'complete-cart' AND e.state = 'done' AND e.deleted_at IS NULL
                   AND o.created_at BETWEEN e.created_at - ${CLOCK_MARGIN} AND e.created_at + ${COMPLETION} + ${CLOCK_MARGIN}
                   AND ${CART_OF_COMPLETION} = c.id))`

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

/** An order `o` was begun for a cart `c` during an interrupted completion of the cart. */
export const IS_BEGUN_FOR_CART = `${MAY_BE_OF_CART} AND ${HAS_ADDRESS_OF_CART}`

/** Without an address on either side, the buyer and all of the content are the same. */
const LOOKS_BEGUN_FOR_CART = `${MAY_BE_OF_CART}
     AND os.id IS NULL AND ob.id IS NULL AND cs.id IS NULL AND cb.id IS NULL
     AND o.email IS NOT DISTINCT FROM c.email AND o.customer_id IS NOT DISTINCT FROM c.customer_id
     AND ${CART_CONTENT} = ${ORDER_CONTENT}`

/** The orders `o` that core has linked to the payment collections of a cart: `own.cart_id`. */
export const LINKED_ORDER = `(cart_payment_collection own
  JOIN order_payment_collection link ON link.payment_collection_id = own.payment_collection_id
   AND link.deleted_at IS NULL AND own.deleted_at IS NULL
  JOIN "order" o ON o.id = link.order_id)`

/** Interrupted completions per call. One round takes `(all of them / PAGE + 1)` minutes. */
const PAGE = 500
const SWEEP = "broken_off_completions"

/** A completion holds the cart's lock for two minutes at most. */
const IS_LEFT_BEHIND = `NOT ${IS_CANCELED} AND NOT ${IS_TOUCHED} AND NOT ${WAS_PLACED}
  AND o.created_at < now() - interval '150 seconds'`

/** Finds what interrupted cart completions have left. */
export class UnlinkedOrders {
  constructor(private readonly knex: Knex) {}

  /**
   * Orders that a dead process left of a cart with a payment request, and a placed order that has lost its links. Call
   * it under the cart's lock: a running completion looks the same.
   *
   * @returns oldest first; empty after three indexed reads when no completion of the cart was interrupted
   */
  async find(cartId: string): Promise<UnlinkedOrder[]> {
    const { rows: ranges } = await this.knex.raw<{ rows: Record<"first_id" | "last_id", string>[] }>(
      `SELECT ${ID_RANGE_OF_COMPLETION("e.created_at")}
         FROM cart c
         ${JOIN_BROKEN_OFF}
        WHERE c.id = ? AND ${HAS_REQUEST}
        ORDER BY e.created_at`,
      [cartId]
    )
    /** @param conditions from the joins on, of orders `o` of the cart `c` */
    const select = async (
      conditions: string,
      range = {},
      isTouched = IS_TOUCHED
    ): Promise<UnlinkedOrder[]> => {
      const { rows } = await this.knex.raw<{ rows: UnlinkedOrder[] }>(
        `SELECT o.id AS order_id,
                ${isTouched} AS is_touched,
                ${WAS_PLACED} AS was_placed,
                ${IS_CANCELED} AS is_canceled,
                ${MAY_BE_UNDER_WAY} AS may_be_under_way
           FROM cart c ${conditions}`,
        { cartId, ...range }
      )
      return rows
    }
    const begun = `
      JOIN "order" o ON o.id BETWEEN :first_id AND :last_id
      ${ADDRESSES}
      WHERE c.id = :cartId AND ((${IS_BEGUN_FOR_CART}) OR (${LOOKS_BEGUN_FOR_CART}))`
    const found = await Promise.all([
      ...ranges.map(
        async (range) => await select(begun, range, `(${IS_TOUCHED} OR NOT ${HAS_ADDRESS_OF_CART})`)
      ),
      // The order that the rows of the cart name, when both of its links are gone.
      select(
        `JOIN "order" o ON o.id IN (SELECT q.order_id FROM crypto_payment_request q
                                     WHERE q.cart_id = :cartId AND q.deleted_at IS NULL)
          WHERE c.id = :cartId AND ${IS_WITHOUT_CART} AND ${WAS_PLACED}`
      ),
      // Last, because it counts for more than a likeness: the link is core's own.
      select(
        `JOIN ${LINKED_ORDER} ON own.cart_id = c.id
        WHERE c.id = :cartId AND ${HAS_REQUEST} AND ${IS_WITHOUT_CART}`
      ),
    ])
    const byId = new Map(found.flat().map((order) => [order.order_id, order]))
    return [...byId.values()].sort((a, b) => a.order_id.localeCompare(b.order_id))
  }

  /**
   * Carts without an order for which core began one, longer ago than a completion takes, and that nobody has worked
   * with. Completing such a cart takes the order back first. This finds carts that nobody completes any more, as after
   * a refund or without a payment. Each call reads the next page, so that carts that cannot be cleared do not block
   * others.
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
           OR EXISTS (SELECT 1 FROM ${LINKED_ORDER}
                       WHERE own.cart_id = c.id AND ${IS_WITHOUT_CART} AND ${IS_LEFT_BEHIND})
        ORDER BY random() LIMIT :limit`,
      { size: PAGE, limit }
    )
    return [...new Set(rows.map(({ id }) => id))]
  }
}
