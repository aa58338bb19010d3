import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CART_OF_COMPLETION, IS_BROKEN_OFF } from "./unlinked-orders"

/**
 * Whether core died before it reserved the stock of an order that it placed. Core reserves after the order, beside
 * writing its links. An order that anybody has worked with is left alone: its stock may have been shipped, or freed on
 * purpose. So a reservation that was deleted counts as one.
 */
export async function isReservationLost(knex: Knex, cartId: string, orderId: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM "order" o
      WHERE o.id = :orderId AND o.version = 1 AND o.status = 'pending' AND o.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM cart c
                      JOIN workflow_execution e ON ${IS_BROKEN_OFF} AND e.updated_at >= c.created_at - interval '10 minutes'
                       AND ${CART_OF_COMPLETION} = c.id
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
