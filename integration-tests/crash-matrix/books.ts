import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { PAID_OK, readEndState, type EndState } from "../support/end-state"
import type { Checkout } from "./flow"

/** Everything that one checkout has left in the database, read past every service. Amounts as two-decimal strings. */
export type Books = EndState & typeof BOOKS_OF_PAID

export const PAID_ORDER = {
  isCanceled: false,
  isCartCompleted: true,
  collections: 1,
  /** What core says the order still owes or is owed. */
  pending: "0.00",
  credited: "0.00",
}

const BOOKS_OF_PAID = {
  order: PAID_ORDER as typeof PAID_ORDER | null,
  /** Orders of the payer that no cart leads to: core began them and died. A draft without money may be left. */
  ghostOrders: 0,
  /** Stock that is reserved for the orders above. It may be less when a process died: `judge.ts`. */
  reserved: 1,
  /** Stock that was reserved since the checkout began, for an order that does not exist. */
  reservedForNobody: 0,
  /** Registered refunds: amount and state. */
  registered: [] as string[],
}

/** An order that was paid once, as if nobody had died. */
export const PAID: Books = { ...PAID_OK, ...BOOKS_OF_PAID }

export async function readBooks(knex: Knex, checkout: Checkout): Promise<Books> {
  const { cartId, email, begunAt, product } = checkout
  const { ledger, ...end } = await readEndState(knex, cartId)
  const { rows } = await knex.raw<{ rows: [typeof BOOKS_OF_PAID] }>(
    `SELECT (SELECT json_build_object(
              'isCanceled', o.status = 'canceled',
              'isCartCompleted', (SELECT c.completed_at IS NOT NULL FROM cart c WHERE c.id = oc.cart_id),
              'collections', (SELECT count(*) FROM order_payment_collection p
                               WHERE p.order_id = o.id AND p.deleted_at IS NULL),
              'pending', (SELECT round((os.totals ->> 'pending_difference')::numeric, 2)::text FROM order_summary os
                           WHERE os.order_id = o.id AND os.deleted_at IS NULL ORDER BY os.version DESC LIMIT 1),
              'credited', (SELECT round(COALESCE(SUM(l.amount), 0), 2)::text FROM order_credit_line l
                            WHERE l.order_id = o.id AND l.version = o.version AND l.deleted_at IS NULL))
               FROM order_cart oc JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL
              WHERE oc.cart_id = :cartId AND oc.deleted_at IS NULL LIMIT 1) AS order,
            (SELECT count(*)::int FROM "order" o
              WHERE o.email = :email AND o.deleted_at IS NULL AND o.status <> 'canceled' AND NOT (o.is_draft_order
                  AND NOT EXISTS (SELECT 1 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL))
                AND NOT EXISTS (
                SELECT 1 FROM order_cart oc WHERE oc.order_id = o.id AND oc.deleted_at IS NULL)) AS "ghostOrders",
            count(*) FILTER (WHERE owner.email = :email)::int AS reserved,
            count(*) FILTER (WHERE owner.email IS NULL)::int AS "reservedForNobody",
            ARRAY(SELECT f.amount || ' ' || f.state
                    FROM crypto_payment_refund f JOIN crypto_payment_request r ON r.id = f.request_id
                   WHERE r.cart_id = :cartId AND f.deleted_at IS NULL) AS registered
       FROM reservation_item ri
       LEFT JOIN LATERAL (
         SELECT o.email FROM order_item i JOIN "order" o ON o.id = i.order_id AND o.deleted_at IS NULL
          WHERE i.item_id = ri.line_item_id AND i.deleted_at IS NULL LIMIT 1
       ) owner ON true
      WHERE ri.inventory_item_id = :inventoryItemId AND ri.deleted_at IS NULL AND ri.created_at >= :begunAt`,
    { cartId, email, begunAt, inventoryItemId: product.inventoryItemId }
  )
  return { ...end, ledger: ledger.filter(wasOffered), ...rows[0] }
}

/** A link whose creation was broken off is closed and was never shown: the payer gets another one. */
const wasOffered = ({ state, attention }: Books["ledger"][number]): boolean =>
  state !== "closed" || attention !== null
