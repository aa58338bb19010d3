import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { z } from "@medusajs/framework/zod"
import { REQUEST_STATES } from "../models/crypto-payment-request"
import { COIN, GATEWAY_CURRENCY, IDS_OF_ORDER, UNBOUND } from "../payment-requests/request-sql"
import { IF_LIMITED, MAX_FOUND, MOST_FOUND, OF_PEOPLE, PEOPLE, type Viewer } from "./customer-sql"
import { runReport } from "./report-statement"

export const word = z.string().trim().min(1).max(128)
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
   * An id, a customer's name or an e-mail address, or its beginning; an order's number; a reference. The limit is longer
   * than any of them.
   */
  q: z.string().max(1000).optional(),
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
  /** The gateway's name of the coin; `none` for payments without one. */
  coin: oneOrMany(word),
  created_at: range,
  paid_at: range,
  /** One refund in the range is enough. */
  refunded_at: range,
})

export type RequestFilter = z.output<typeof requestFilter>

const MIN_BEGINNING = 3
const ORDER_NUMBER = /^#?\d{1,10}$/
const NO_COIN = "none"
const OF_ATTENTION = new Map([
  ["open", "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NULL"],
  ["resolved", "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NOT NULL"],
  ["none", "r.attention_reason IS NULL"],
])
/** `$gt` and `$lte` include the whole millisecond: the database has microseconds, and the API shows milliseconds. */
const OPERATORS = {
  $gt: { sql: ">=", addedMs: 1 },
  $gte: { sql: ">=", addedMs: 0 },
  $lt: { sql: "<", addedMs: 0 },
  $lte: { sql: "<", addedMs: 1 },
} as const

/**
 * The query of a filter's rows `r`. In an object, because to await a query runs it.
 *
 * @returns whether its search stopped at the limit, so that rows may be missing
 */
export async function rowsOf(
  knex: Knex,
  filter: RequestFilter,
  viewer: Viewer
): Promise<{ rows: Knex.QueryBuilder; isLimited: boolean }> {
  const rows = knex("crypto_payment_request as r").whereNull("r.deleted_at")
  const among = {
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
  const { q, coin, attention, order_id, refunded_at = {} } = filter
  const search = q?.trim() ?? ""
  const found = search === "" ? undefined : await lookUp(knex, search, viewer)
  if (found !== undefined) {
    void rows.whereRaw(found.condition, found.bindings)
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
  narrow(rows, "r.created_at", filter.created_at)
  narrow(rows, "r.paid_at", filter.paid_at)
  if (Object.values(refunded_at).some((date) => date !== undefined)) {
    const refunds = knex("crypto_payment_refund as f").whereNull("f.deleted_at").select("f.request_id")
    narrow(refunds, "f.created_at", refunded_at)
    void rows.whereIn("r.id", refunds)
  }
  return { rows, isLimited: found?.isLimited ?? false }
}

function narrow(rows: Knex.QueryBuilder, column: string, range: RequestFilter["paid_at"]): void {
  for (const [operator, date] of Object.entries(range ?? {})) {
    if (date !== undefined) {
      const { sql, addedMs } = OPERATORS[operator as keyof typeof OPERATORS]
      void rows.where(column, sql, new Date(date.getTime() + addedMs))
    }
  }
}

/** Each such column has an index for `LIKE 'beginning%'`. */
const BY_BEGINNING = (column: string): string =>
  `(SELECT id FROM crypto_payment_request WHERE ${column} LIKE :beginning AND deleted_at IS NULL)`

/**
 * A session the link was bound to before, such as the one in the gateway's note. Only the whole id finds it: an array
 * has no index for beginnings. Looked up separately and without the limit, because Postgres does not know how rare a
 * session is in an array.
 */
const BY_FORMER_SESSION = `
  (WITH found AS MATERIALIZED (
     SELECT id FROM crypto_payment_request
      WHERE session_ids && ARRAY[:exactly, '${UNBOUND}' || :exactly]::text[] AND deleted_at IS NULL
   ) SELECT id FROM found LIMIT 100)`

const OF_ORDERS = (orders: string): string => `
  (WITH o AS MATERIALIZED (${orders})
   SELECT found.id FROM o CROSS JOIN LATERAL (${IDS_OF_ORDER("o.id")}) found)`

/**
 * Our rows contain no e-mail, and Medusa's tables have no index for it. Each part has its own limit: to remove
 * duplicates, UNION would first read all parts to their ends. An id is NULL if there may be more, also below.
 */
const BY_EMAIL = `
  WITH sent_to AS MATERIALIZED (SELECT id FROM "order" WHERE lower(email) LIKE :email ${MAX_FOUND})
  (SELECT q.id FROM cart c JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL
    WHERE lower(c.email) LIKE :email ${MAX_FOUND})
  UNION
  (SELECT q.id FROM customer u JOIN cart c ON c.customer_id = u.id
     JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL
    WHERE lower(u.email) LIKE :email ${MAX_FOUND})
  UNION ${OF_ORDERS("SELECT id FROM sent_to")}
  UNION ${IF_LIMITED("sent_to")}
  ${MAX_FOUND}`

const BY_NAME = `
  WITH ${PEOPLE}
  (WITH c AS MATERIALIZED (${OF_PEOPLE("cart")})
   SELECT q.id FROM c JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL ${MAX_FOUND})
  UNION ${OF_ORDERS(OF_PEOPLE("order"))}
  UNION ${IF_LIMITED("person", "address_of_cart", "address_of_order")}
  ${MAX_FOUND}`

const BY_ORDER_NUMBER = OF_ORDERS(
  `SELECT id FROM "order" WHERE display_id = :number::bigint AND deleted_at IS NULL`
)

/** Ids, numbers and references have digits, or a prefix with an underscore. */
const NAME = /^[^\d@#_]{2,100}$/u

/**
 * How a text is searched for: a condition on rows `r`, and a look-up that is made once for page, count and sums. An id
 * with a known prefix is looked up only as that id. An admin user who may not see customers cannot search by their data,
 * and one who may not read orders cannot search by the id of a cart or an order: a result would reveal it.
 */
function searchFor(
  search: string,
  { customers, orders }: Viewer
): { condition: string; lookUp?: string | false } {
  if (search.startsWith("cpreq_")) {
    return { condition: "r.id LIKE :beginning" }
  }
  if (search.startsWith("cart_")) {
    return { condition: orders ? "r.cart_id LIKE :beginning" : "false" }
  }
  if (search.startsWith("payses_")) {
    return { condition: "(r.session_id LIKE :beginning OR r.id = ANY(:ids))", lookUp: BY_FORMER_SESSION }
  }
  if (search.includes("@")) {
    return { condition: "r.id = ANY(:ids)", lookUp: customers && BY_EMAIL }
  }
  const ids = ["id", "payment_request_id", "session_id", "ref_id"].map(BY_BEGINNING)
  const idsOfOrder = [...["cart_id", "order_id"].map(BY_BEGINNING), `(${IDS_OF_ORDER(":exactly")})`]
  const branches = [
    "SELECT unnest(:ids::text[])",
    ...(search.length < MIN_BEGINNING ? [] : [...ids, ...(orders ? idsOfOrder : [])]),
    ...(ORDER_NUMBER.test(search) ? [BY_ORDER_NUMBER] : []),
  ]
  return {
    condition: `r.id IN (${branches.join(" UNION ")})`,
    lookUp: customers && NAME.test(search) && BY_NAME,
  }
}

/** The search text as a condition on rows `r`. */
async function lookUp(knex: Knex, search: string, viewer: Viewer) {
  const bindings = {
    exactly: search,
    beginning: beginning(search),
    email: beginning(search.toLowerCase()),
    name: beginning(search.replace(/\s+/g, " ")),
    number: search.replace("#", ""),
  }
  const { condition, lookUp: statement } = searchFor(search, viewer)
  const found = statement ? await runReport<{ id: string | null }>(knex, statement, bindings) : []
  const ids = found.map(({ id }) => id).filter((id) => id !== null)
  return {
    condition,
    bindings: { ...bindings, ids },
    isLimited: found.length > ids.length || ids.length >= MOST_FOUND,
  }
}

function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`
}
