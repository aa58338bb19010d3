import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { PAID_OK, readEndState, type EndState } from "../support/end-state"
import type { Checkout } from "./flow"

/** Everything that one checkout has left in the database, read past every service. Amounts as two-decimal strings. */
export interface Books extends EndState {
  order: OrderBooks | null
  /** Orders of the payer that no cart leads to: core began them and died. */
  ghostOrders: number
  /** Stock that is reserved for the orders above. */
  reserved: number
  /** Stock that was reserved since the checkout began, for an order that does not exist. */
  reservedForNobody: number
  /** Registered refunds: amount and state. */
  registered: string[]
}

interface OrderBooks {
  isCanceled: boolean
  isCartCompleted: boolean
  collections: number
  /** What core says the order still owes or is owed. */
  pending: string
  credited: string
}

/** An order that was paid once, as if nobody had died. */
export const PAID: Books = {
  ...PAID_OK,
  order: { isCanceled: false, isCartCompleted: true, collections: 1, pending: "0.00", credited: "0.00" },
  ghostOrders: 0,
  reserved: 1,
  reservedForNobody: 0,
  registered: [],
}

export async function readBooks(knex: Knex, checkout: Checkout): Promise<Books> {
  const { cartId, email } = checkout
  const { ledger, ...end } = await readEndState(knex, cartId)
  const { rows } = await knex.raw<{ rows: (OrderBooks & { id: string })[] }>(
    `SELECT o.id,
            (o.status = 'canceled') AS "isCanceled",
            (SELECT c.completed_at IS NOT NULL FROM cart c WHERE c.id = oc.cart_id) AS "isCartCompleted",
            (SELECT count(*)::int FROM order_payment_collection p WHERE p.order_id = o.id AND p.deleted_at IS NULL)
              AS collections,
            (SELECT round((os.totals ->> 'pending_difference')::numeric, 2)::text FROM order_summary os
              WHERE os.order_id = o.id AND os.deleted_at IS NULL ORDER BY os.version DESC LIMIT 1) AS pending,
            (SELECT round(COALESCE(SUM(l.amount), 0), 2)::text FROM order_credit_line l
              WHERE l.order_id = o.id AND l.version = o.version AND l.deleted_at IS NULL) AS credited
       FROM order_cart oc JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL
      WHERE oc.cart_id = ? AND oc.deleted_at IS NULL`,
    [cartId]
  )
  const [found] = rows
  const { id: _id, ...order } = found ?? { id: null }
  const refunds = await knex("crypto_payment_refund as f")
    .join("crypto_payment_request as r", "r.id", "f.request_id")
    .where({ "r.cart_id": cartId, "f.deleted_at": null })
    .select<{ amount: string; state: string }[]>("f.amount", "f.state")
  return {
    ...end,
    ledger: ledger.filter(wasOffered),
    order: found === undefined ? null : (order as OrderBooks),
    ghostOrders: await countGhosts(knex, email),
    ...(await readReservations(knex, checkout)),
    registered: refunds.map(({ amount, state }) => `${amount} ${state}`),
  }
}

/** A link whose creation was broken off is closed and was never shown: the payer gets another one. */
function wasOffered({ state, attention }: Books["ledger"][number]): boolean {
  return state !== "closed" || attention !== null
}

async function countGhosts(knex: Knex, email: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
    `SELECT count(*)::int AS count FROM "order" o
      WHERE o.email = ? AND o.deleted_at IS NULL AND o.status <> 'canceled'
        AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = o.id AND oc.deleted_at IS NULL)`,
    [email]
  )
  return rows[0].count
}

async function readReservations(
  knex: Knex,
  { email, begunAt, product: { inventoryItemId } }: Checkout
): Promise<Pick<Books, "reserved" | "reservedForNobody">> {
  const { rows } = await knex.raw<{ rows: [Pick<Books, "reserved" | "reservedForNobody">] }>(
    `SELECT count(*) FILTER (WHERE owner.email = :email)::int AS reserved,
            count(*) FILTER (WHERE owner.email IS NULL)::int AS "reservedForNobody"
       FROM reservation_item ri
       LEFT JOIN LATERAL (
         SELECT o.email FROM order_item i JOIN "order" o ON o.id = i.order_id AND o.deleted_at IS NULL
          WHERE i.item_id = ri.line_item_id AND i.deleted_at IS NULL LIMIT 1
       ) owner ON true
      WHERE ri.inventory_item_id = :inventoryItemId AND ri.deleted_at IS NULL AND ri.created_at >= :begunAt`,
    { email, inventoryItemId, begunAt }
  )
  return rows[0]
}
