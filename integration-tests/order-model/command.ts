import type { AsyncCommand } from "fast-check"
import type { OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** Something that somebody does to an order, in the model and in the store. Its `toString` is for a merchant. */
export abstract class OrderCommand implements AsyncCommand<OrderModel, StoreOrder> {
  /** What is counted in the report. */
  get kind(): string {
    return this.constructor.name
  }

  abstract toString(): string

  abstract check(model: Readonly<OrderModel>): boolean

  protected abstract act(model: OrderModel, order: StoreOrder): Promise<void>

  async run(model: OrderModel, order: StoreOrder): Promise<void> {
    order.story.push(this.toString())
    order.commands.push(this)
    await this.act(model, order)
    await order.comeToRest()
    await learn(model, order)
  }
}

/** What only the store can say: which links were given out, what of them was booked, and whether there is an order by now. */
export async function learn(model: OrderModel, order: StoreOrder): Promise<void> {
  const { knex } = order.shop
  if (order.orderId === null) {
    const found = await knex("order_cart")
      .where({ cart_id: order.cartId, deleted_at: null })
      .first("order_id")
    order.orderId = found?.order_id ?? null
    if (order.orderId !== null) {
      model.stage = "placed"
    }
  }
  if (model.stage === "cart") {
    await learnCart(model, order)
  }
  if (order.orderId !== null) {
    await order.learnLines()
  }
  await order.learnLinks()
  let isBooked = false
  for (const [index, { sessionIds, amount, currency }] of order.links.entries()) {
    const link = (model.links[index] ??= {
      amount,
      currency,
      isPaid: false,
      owedWhenPaid: null,
      booked: 0,
      refunded: 0,
      isBroken: false,
    })
    const { rows } = await knex.raw<{ rows: [{ booked: string }] }>(
      `SELECT COALESCE(SUM(round(t.amount * 100)), 0)::int AS booked
         FROM order_transaction t
         JOIN capture c ON c.id = t.reference_id
         JOIN payment p ON p.id = c.payment_id
        WHERE t.order_id = ? AND t.reference = 'capture' AND t.deleted_at IS NULL
          AND p.payment_session_id = ANY (?)`,
      [order.orderId, sessionIds]
    )
    const booked = Number(rows[0].booked)
    isBooked ||= booked > link.booked
    link.booked = booked
  }
  model.cameTooMuch = model.owed < 0 && (model.cameTooMuch || isBooked)
}

/** A cart is what its customer says: only the store knows which of their changes it took. */
async function learnCart(model: OrderModel, { shop: { knex }, cartId }: StoreOrder): Promise<void> {
  const cart = await knex("cart").where({ id: cartId }).first("currency_code")
  const quantities = await knex("cart_line_item")
    .where({ cart_id: cartId, deleted_at: null })
    .pluck<string[]>("quantity")
  model.currency = cart?.currency_code === "aed" ? "aed" : "usd"
  model.lines.splice(0)
  model.addLine(quantities.reduce((sum, quantity) => sum + Number(quantity), 0))
}
