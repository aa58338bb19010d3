import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Gives a cart of one item this total: the item costs all of it, and its shipping nothing. */
export async function priceCart(knex: Knex, cartId: string, total: number): Promise<void> {
  const raw = (value: number): string => JSON.stringify({ value: String(value), precision: 20 })
  const ofCart = { cart_id: cartId }
  await knex("cart_line_item")
    .where(ofCart)
    .update({ unit_price: total, raw_unit_price: raw(total) })
  await knex("cart_shipping_method")
    .where(ofCart)
    .update({ amount: 0, raw_amount: raw(0) })
}
