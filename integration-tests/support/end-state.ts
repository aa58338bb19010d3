import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** What the database holds for one cart once everything has happened. Amounts as two-decimal strings. */
export type EndState = typeof PAID_OK

/** Scenario end state PAID-OK of a 20.01 cart: exactly one of everything, nothing undone. */
export const PAID_OK = {
  collection: { status: "completed", authorized: "20.01", captured: "20.01", refunded: "0.00" },
  sessions: ["authorized"],
  payments: [{ captured: true, canceled: false }],
  captures: ["20.01"],
  refunds: [] as string[],
  orders: 1,
  transactions: ["20.01"],
  ledger: [{ state: "captured", settled: true, attention: null as string | null }],
}

/** A live session nobody has paid. */
export const UNPAID: EndState = {
  collection: { status: "not_paid", authorized: "0.00", captured: "0.00", refunded: "0.00" },
  sessions: ["pending"],
  payments: [],
  captures: [],
  refunds: [],
  orders: 0,
  transactions: [],
  ledger: [{ state: "open", settled: false, attention: null }],
}

const money = (column: string) => `round(COALESCE(${column}, 0), 2)::text`
/** Amounts of a payment collection's captures or refunds. */
const amountsOf = (table: "capture" | "refund") =>
  `ARRAY(SELECT ${money("a.amount")} FROM ${table} a JOIN payment p ON p.id = a.payment_id
          WHERE p.payment_collection_id = pc.id AND a.deleted_at IS NULL ORDER BY a.created_at)`

/** Reads the end state of a cart from Postgres, past every service of ours and of core's. */
export async function readEndState(knex: Knex, cartId: string): Promise<EndState> {
  const { rows } = await knex.raw<{ rows: EndState[] }>(
    `SELECT json_build_object('status', pc.status, 'authorized', ${money("pc.authorized_amount")},
                              'captured', ${money("pc.captured_amount")},
                              'refunded', ${money("pc.refunded_amount")}) AS collection,
            ARRAY(SELECT status::text FROM payment_session s
                   WHERE s.payment_collection_id = pc.id ORDER BY created_at) AS sessions,
            ARRAY(SELECT json_build_object('captured', captured_at IS NOT NULL, 'canceled', canceled_at IS NOT NULL)
                    FROM payment p WHERE p.payment_collection_id = pc.id) AS payments,
            ${amountsOf("capture")} AS captures,
            ${amountsOf("refund")} AS refunds,
            (SELECT count(*)::int FROM order_cart oc
              WHERE oc.cart_id = cpc.cart_id AND oc.deleted_at IS NULL) AS orders,
            ARRAY(SELECT ${money("t.amount")} FROM order_transaction t JOIN order_cart oc USING (order_id)
                   WHERE oc.cart_id = cpc.cart_id AND t.deleted_at IS NULL ORDER BY t.created_at) AS transactions,
            ARRAY(SELECT json_build_object('state', state, 'settled', settled_at IS NOT NULL,
                                           'attention', attention_reason)
                    FROM crypto_payment_request r WHERE r.cart_id = cpc.cart_id ORDER BY created_at) AS ledger
       FROM cart_payment_collection cpc JOIN payment_collection pc ON pc.id = cpc.payment_collection_id
      WHERE cpc.cart_id = ?`,
    [cartId]
  )
  return onlyOne(rows)
}

/** What a payment collection holds, for those that belong to an order and to no cart. */
export async function readCollectionEnd(knex: Knex, collectionId: string): Promise<CollectionEnd> {
  const { rows } = await knex.raw<{ rows: CollectionEnd[] }>(
    `SELECT status, ${money("captured_amount")} AS captured, ${money("refunded_amount")} AS refunded,
            ${amountsOf("capture")} AS captures FROM payment_collection pc WHERE id = ?`,
    [collectionId]
  )
  return onlyOne(rows)
}

interface CollectionEnd {
  status: string
  captured: string
  refunded: string
  captures: string[]
}

function onlyOne<End>([end]: End[]): End {
  if (end === undefined) {
    throw new Error("there is no such payment collection")
  }
  return end
}
