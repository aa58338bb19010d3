import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { z } from "@medusajs/framework/zod"
import { inputText } from "../input-text"
import { REQUEST_STATES } from "../models/crypto-payment-request"
import { COIN, GATEWAY_CURRENCY, IDS_OF_ORDER, STRAY } from "../payment-requests/request-sql"
import type { Viewer } from "./people"
import { amountIn, orderNumberIn } from "./typed-search"

export const word = inputText.trim().min(1).max(128)
/** What is searched for. An id from our CSV has a mark in front, with which it stays a text in a spreadsheet. */
export const searched = inputText.max(1000).transform((typed) => typed.trim().replace(/^'/, ""))
const oneOrMany = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .union([item, z.array(item).min(1).max(50)])
    .transform((value): string[] => [value].flat())
    .optional()
/** Postgres does not accept every year that JavaScript has. */
export const isDate = (text: string): boolean =>
  /^(19|2\d)\d\d-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
const moment = z
  .string()
  .refine(isDate, { error: "dates must be ISO 8601, such as 2026-11-21T08:00:00Z" })
  .transform((text) => new Date(text))
const range = z.strictObject({ $gt: moment, $gte: moment, $lt: moment, $lte: moment }).partial().optional()

/** Every field narrows the result. */
export const requestFilter = z.strictObject({
  /**
   * A whole id or e-mail address, a part of a reference, an order's number or an amount. The limit is longer than any.
   */
  q: searched.optional(),
  id: oneOrMany(word),
  state: oneOrMany(z.enum(REQUEST_STATES)),
  status: oneOrMany(word),
  /** A reason means its open cases. */
  attention: z
    .string()
    .regex(/^[a-z_]{1,64}$/, { error: "attention must be open, resolved, none or a reason" })
    .optional(),
  /** Of the requested amount. The received one may have another currency. */
  currency: oneOrMany(word.toLowerCase()),
  received_currency: oneOrMany(word.toLowerCase()),
  provider_id: oneOrMany(word),
  order_id: word.optional(),
  /** Medusa's customer of the cart or the order. */
  customer_id: word.optional(),
  /** The gateway's name of the coin; `none` for payments without one. */
  coin: oneOrMany(word),
  created_at: range,
  paid_at: range,
  /** One refund in the range is enough. */
  refunded_at: range,
})

export type RequestFilter = z.output<typeof requestFilter>

/** Of a reference, which has no index for it: what is no id of Medusa's and no e-mail address. */
const MAY_BE_PART = /^[^_@]{4,}$/
const NO_COIN = "none"
const OF_ATTENTION = new Map([
  ["open", "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NULL"],
  ["resolved", "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NOT NULL"],
  ["none", "r.attention_reason IS NULL"],
])
const OPERATORS = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" } as const

/** The query of a filter's rows `r`. */
export function rowsOf(knex: Knex, filter: RequestFilter, viewer: Viewer): Knex.QueryBuilder {
  const rows = knex("crypto_payment_request as r").whereNull("r.deleted_at")
  const among = {
    "r.id": filter.id,
    "r.state": filter.state,
    "r.gateway_status": filter.status,
    "r.currency_code": filter.currency,
    "r.provider_id": filter.provider_id,
    [GATEWAY_CURRENCY]: filter.received_currency,
  }
  for (const [column, values] of Object.entries(among)) {
    if (values !== undefined) {
      void rows.whereRaw(`${column} = ANY(?)`, [[...values]])
    }
  }
  const { q: search = "", coin, attention, order_id, customer_id, refunded_at = {} } = filter
  if (search !== "") {
    const part = `%${search.replace(/[%_\\]/g, "\\$&")}%`
    const values = { search, part, number: orderNumberIn(search), ...amountIn(search) }
    void rows.whereRaw(IS_FOUND(values, viewer), values)
  }
  if (coin !== undefined) {
    const orNone = coin.includes(NO_COIN) ? ` OR ${COIN} IS NULL` : ""
    void rows.whereRaw(`(r.payment_currency = ANY(?)${orNone})`, [[...coin]])
  }
  if (attention !== undefined) {
    const ofReason = "r.attention_reason = :attention AND r.attention_resolved_at IS NULL"
    void rows.whereRaw(OF_ATTENTION.get(attention) ?? ofReason, { attention })
  }
  if (order_id !== undefined) {
    void rows.whereRaw(`r.id IN (${IDS_OF_ORDER(":order_id")})`, { order_id })
  }
  if (customer_id !== undefined) {
    // A result would say whose payment it is.
    void rows.whereRaw(viewer.customers ? `r.id IN (${OF_CUSTOMER})` : "false", { customer_id })
  }
  narrow(rows, "r.created_at", filter.created_at)
  narrow(rows, "r.paid_at", filter.paid_at)
  if (Object.values(refunded_at).some((date) => date !== undefined)) {
    const refunds = knex("crypto_payment_refund as f").whereNull("f.deleted_at").select("f.request_id")
    narrow(refunds, "f.created_at", refunded_at)
    void rows.whereIn("r.id", refunds)
  }
  return rows
}

function narrow(rows: Knex.QueryBuilder, column: string, range: RequestFilter["paid_at"]): void {
  for (const [operator, date] of Object.entries(range ?? {})) {
    if (date !== undefined) {
      void rows.where(column, OPERATORS[operator as keyof typeof OPERATORS], date)
    }
  }
}

const WITH_VALUE = (column: string): string =>
  `SELECT id FROM crypto_payment_request WHERE ${column} = :search AND deleted_at IS NULL`

/** Also a session that the link was bound to before. Postgres does not know how rare a session is in an array. */
const OF_SESSION = `
  (WITH found AS MATERIALIZED (
     SELECT id FROM crypto_payment_request
      WHERE session_ids && ARRAY[:search, '${STRAY}' || :search]::text[] AND deleted_at IS NULL
   ) SELECT id FROM found LIMIT 100)`

const OF_ORDER_NUMBER = `
  SELECT found.id FROM "order" o CROSS JOIN LATERAL (${IDS_OF_ORDER("o.id")}) found
   WHERE o.display_id = :number::bigint AND o.deleted_at IS NULL`

/** Requested or received. */
const OF_AMOUNT = `
  SELECT r.id FROM crypto_payment_request r
   WHERE r.deleted_at IS NULL
     AND (r.amount::numeric = :amount::numeric AND :currency IN ('', r.currency_code)
          OR r.paid_at IS NOT NULL AND r.gateway_amount::numeric = :amount::numeric AND :currency IN ('', ${GATEWAY_CURRENCY}))`

const OF_REFERENCE = "SELECT id FROM crypto_payment_request WHERE ref_id ILIKE :part AND deleted_at IS NULL"

/** @param isBuyer condition on the cart `c` or the order `o` */
const OF_BUYER = (isBuyer: (of: "c" | "o") => string): string => `
  SELECT q.id FROM cart c JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL
   WHERE ${isBuyer("c")}
  UNION
  SELECT q.id FROM "order" o JOIN crypto_payment_request q ON q.order_id = o.id AND q.deleted_at IS NULL
   WHERE ${isBuyer("o")}`

/**
 * Our rows contain no e-mail. Medusa's tables contain it as it was typed, and have no index for it: each is read once.
 */
const OF_EMAIL = OF_BUYER((of) => `lower(${of}.email) = lower(:search)`)
/** Core has indexes for both. */
const OF_CUSTOMER = OF_BUYER((of) => `${of}.customer_id = :customer_id`)

/**
 * The rows `r` that the text `:search` names. An admin user who may not see customers cannot search by their
 * e-mail address, and one who may not read orders cannot search by the id of a cart or an order: a result would reveal
 * it.
 */
function IS_FOUND(
  { search, number, amount }: Record<"search" | "number" | "amount", string>,
  { customers, orders }: Viewer
): string {
  const found = [
    ...["id", "payment_request_id", "ref_id"].map(WITH_VALUE),
    ...(MAY_BE_PART.test(search) ? [OF_REFERENCE] : []),
    ...(amount === "" ? [] : [OF_AMOUNT]),
    OF_SESSION,
    ...(orders ? [WITH_VALUE("cart_id"), IDS_OF_ORDER(":search")] : []),
    ...(number === "" ? [] : [OF_ORDER_NUMBER]),
    ...(customers && search.includes("@") ? [OF_EMAIL] : []),
  ]
  return `r.id IN (${found.join(" UNION ")})`
}
