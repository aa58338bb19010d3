import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** What the database holds for one cart once everything has happened. Amounts as two-decimal strings. */
export interface EndState {
  collection: { status: string; authorized: string; captured: string; refunded: string }
  sessions: string[]
  payments: { captured: boolean; canceled: boolean }[]
  captures: string[]
  refunds: string[]
  orders: number
  transactions: string[]
  ledger: { state: string; settled: boolean; attention: string | null }[]
}

/** Scenario end state PAID-OK of a 20.01 cart: exactly one of everything, nothing undone. */
export const PAID_OK: EndState = {
  collection: { status: "completed", authorized: "20.01", captured: "20.01", refunded: "0.00" },
  sessions: ["authorized"],
  payments: [{ captured: true, canceled: false }],
  captures: ["20.01"],
  refunds: [],
  orders: 1,
  transactions: ["20.01"],
  ledger: [{ state: "captured", settled: true, attention: null }],
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

/** Reads the end state of a cart from Postgres, past every service of ours and of core's. */
export async function readEndState(knex: Knex, cartId: string): Promise<EndState> {
  const collection = await one(
    knex,
    `SELECT pc.id, pc.status, pc.authorized_amount, pc.captured_amount, pc.refunded_amount
       FROM cart_payment_collection cpc JOIN payment_collection pc ON pc.id = cpc.payment_collection_id
      WHERE cpc.cart_id = ?`,
    cartId
  )
  const id = String(collection["id"])
  const payments = await all(
    knex,
    `SELECT id, captured_at, canceled_at FROM payment WHERE payment_collection_id = ?`,
    id
  )
  const amounts = async (table: string): Promise<string[]> =>
    (
      await all(
        knex,
        `SELECT a.amount FROM ${table} a JOIN payment p ON p.id = a.payment_id
          WHERE p.payment_collection_id = ? AND a.deleted_at IS NULL ORDER BY a.created_at`,
        id
      )
    ).map((row) => money(row["amount"]))
  const orders = await all(
    knex,
    `SELECT order_id FROM order_cart WHERE cart_id = ? AND deleted_at IS NULL`,
    cartId
  )
  const transactions = await all(
    knex,
    `SELECT t.amount FROM order_transaction t JOIN order_cart oc ON oc.order_id = t.order_id
      WHERE oc.cart_id = ? AND t.deleted_at IS NULL ORDER BY t.created_at`,
    cartId
  )
  return {
    collection: {
      status: String(collection["status"]),
      authorized: money(collection["authorized_amount"]),
      captured: money(collection["captured_amount"]),
      refunded: money(collection["refunded_amount"]),
    },
    sessions: (
      await all(
        knex,
        `SELECT status FROM payment_session WHERE payment_collection_id = ? ORDER BY created_at`,
        id
      )
    ).map((row) => String(row["status"])),
    payments: payments.map((row) => ({
      captured: row["captured_at"] !== null,
      canceled: row["canceled_at"] !== null,
    })),
    captures: await amounts("capture"),
    refunds: await amounts("refund"),
    orders: orders.length,
    transactions: transactions.map((row) => money(row["amount"])),
    ledger: (
      await all(
        knex,
        `SELECT state, settled_at, attention_reason FROM crypto_payment_request WHERE cart_id = ? ORDER BY created_at`,
        cartId
      )
    ).map((row) => ({
      state: String(row["state"]),
      settled: row["settled_at"] !== null,
      attention: row["attention_reason"] as string | null,
    })),
  }
}

/** What a payment collection holds, for those that belong to an order and to no cart. */
export async function readCollectionEnd(
  knex: Knex,
  collectionId: string
): Promise<{ status: string; captured: string; refunded: string; captures: string[] }> {
  const [collection] = await all(
    knex,
    `SELECT status, captured_amount, refunded_amount FROM payment_collection WHERE id = ?`,
    collectionId
  )
  const captures = await all(
    knex,
    `SELECT c.amount FROM capture c JOIN payment p ON p.id = c.payment_id
      WHERE p.payment_collection_id = ? AND c.deleted_at IS NULL ORDER BY c.created_at`,
    collectionId
  )
  return {
    status: String(collection?.["status"]),
    captured: money(collection?.["captured_amount"]),
    refunded: money(collection?.["refunded_amount"]),
    captures: captures.map((row) => money(row["amount"])),
  }
}

type Row = Record<string, unknown>

async function all(knex: Knex, sql: string, ...bindings: string[]): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(sql, bindings)
  return rows
}

async function one(knex: Knex, sql: string, ...bindings: string[]): Promise<Row> {
  const [row] = await all(knex, sql, ...bindings)
  if (row === undefined) {
    throw new Error("the cart has no payment collection")
  }
  return row
}

function money(value: unknown): string {
  return Number(value ?? 0).toFixed(2)
}
