import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { invalidData } from "../errors"
import { IDS_OF_ORDER } from "../payment-requests/request-sql"

/**
 * What Query gives of an order's crypto payments. Medusa's store routes allow a shop to read none of it; a store may
 * allow it. So it has no link, no session, no cart and nothing about the payer.
 */
const SHOWN = [
  ...["id", "provider_id", "state", "gateway_status", "amount", "currency_code"],
  ...["gateway_amount", "gateway_currency_symbol", "payment_currency", "payment_amount"],
  ...["ref_id", "paid_at", "captured_at", "settled_at", "created_at"],
]

/** What Query asks with. It reads payments of orders, so it always names them. */
export interface OfOrders {
  order_id?: string | string[]
  /** Such as the language of the asking request. */
  context?: unknown
}

/**
 * The newest first. A payment is found by its order's cart and collections too, before a settle has noted the order.
 */
export async function listOrderPayments(knex: Knex, filters: OfOrders): Promise<Record<string, unknown>[]> {
  const { order_id: orderIds, context: _context, ...others } = filters
  if (orderIds === undefined || Object.keys(others).length > 0) {
    throw invalidData("Crypto payments can be queried by `order_id` only, or as a field of an order.")
  }
  const { rows } = await knex.raw<{ rows: Record<string, unknown>[] }>(
    `SELECT wanted.id AS order_id, ${SHOWN.map((column) => `r.${column}`).join(", ")}
       FROM unnest(CAST(? AS text[])) AS wanted (id)
      CROSS JOIN LATERAL (${IDS_OF_ORDER("wanted.id")}) own
       JOIN crypto_payment_request r ON r.id = own.id
      ORDER BY r.created_at DESC`,
    [[orderIds].flat()]
  )
  return rows
}
