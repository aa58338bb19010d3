import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { STRAY } from "../reconciliation/match-listed"
import { runReport } from "./report-statement"

/** Which rows of the ledger a person asks for; every part narrows. */
export interface RequestFilter {
  /** Words of a person: an id or its beginning, an order's number, a reference, an e-mail or its beginning. */
  q?: string | undefined
  state?: readonly string[] | undefined
  /** The gateway's status words. */
  status?: readonly string[] | undefined
  /** `open`, `resolved`, `none`, or a reason, which means its open cases. */
  attention?: string | undefined
  currency?: readonly string[] | undefined
  provider_id?: readonly string[] | undefined
  order_id?: string | undefined
  created_at?: Partial<Record<"$gt" | "$gte" | "$lt" | "$lte", Date | undefined>> | undefined
}

/**
 * A filter whose e-mail was looked up: then only rows with these ids. Or whose session was: then also the rows whose
 * link was bound to it before.
 */
export type LookedUpFilter = RequestFilter & { ids?: readonly string[]; former?: readonly string[] }

/** Columns whose beginning is enough to find a row; each has an index that serves `LIKE 'beginning%'`. */
const SEARCHED_IDS = ["id", "payment_request_id", "session_id", "cart_id", "order_id", "ref_id"] as const
/** Beginnings that say which id is meant: then one index is enough, however many rows begin so. */
const OWN_PREFIXES = [
  ["cpreq_", "id"],
  ["cart_", "cart_id"],
] as const
const SESSION_PREFIX = "payses_"
/**
 * A session the link was bound to before, such as the one that the gateway's note names, or that names a row without a
 * session: the whole id finds it, by the index over the array. An array has no index for beginnings. Postgres does not
 * know how rare a session is in an array, so it is looked up by itself, and `OFFSET 0` keeps the limit out of the plan.
 */
const BY_FORMER_SESSION = `SELECT id FROM (
    SELECT id FROM crypto_payment_request
     WHERE session_ids && ARRAY[:exactly, '${STRAY}' || :exactly]::text[] AND deleted_at IS NULL
    OFFSET 0
  ) found LIMIT 100`
const MIN_BEGINNING = 3
const MAX_FOUND = 5000
const MAX_DISPLAY_ID = 2 ** 31 - 1
const OPERATORS = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" } as const

type Bindings = Record<string, string | number | Date | readonly string[]>

/** A condition over `crypto_payment_request r`, with named bindings. */
export interface Condition {
  sql: string
  bindings: Bindings
}

/** The filter as SQL; each branch of a search is a lookup in an index of its own. */
export function toCondition(filter: LookedUpFilter): Condition {
  const parts = ["r.deleted_at IS NULL"]
  const bindings: Bindings = {}
  const among = (column: string, name: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) {
      parts.push(`r.${column} = ANY(:${name})`)
      bindings[name] = values
    }
  }
  among("id", "ids", filter.ids)
  among("state", "state", filter.state)
  among("gateway_status", "status", filter.status)
  among("currency_code", "currency", filter.currency)
  among("provider_id", "provider", filter.provider_id)
  if (filter.attention !== undefined) {
    parts.push(attentionCondition(filter.attention))
    bindings["attention"] = filter.attention
  }
  if (filter.order_id !== undefined) {
    parts.push(`r.id IN (${OF_ORDERS("SELECT :order_id::text AS id")})`)
    bindings["order_id"] = filter.order_id
  }
  for (const [operator, date] of Object.entries(filter.created_at ?? {})) {
    if (date === undefined) {
      continue
    }
    const name = `created_${operator.slice(1)}`
    parts.push(`r.created_at ${OPERATORS[operator as keyof typeof OPERATORS]} :${name}`)
    bindings[name] = date
  }
  const search = filter.q?.trim() ?? ""
  if (search !== "") {
    const found = searchCondition(search, filter.former ?? [])
    parts.push(found.sql)
    Object.assign(bindings, found.bindings)
  }
  return { sql: parts.join(" AND "), bindings }
}

function attentionCondition(attention: string): string {
  switch (attention) {
    case "open":
      return "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NULL"
    case "resolved":
      return "r.attention_reason IS NOT NULL AND r.attention_resolved_at IS NOT NULL"
    case "none":
      return "r.attention_reason IS NULL"
    default:
      return "r.attention_reason = :attention AND r.attention_resolved_at IS NULL"
  }
}

function searchCondition(search: string, former: readonly string[]): Condition {
  const column = OWN_PREFIXES.find(([prefix]) => search.startsWith(prefix))?.[1]
  if (column !== undefined) {
    return { sql: `r.${column} LIKE :beginning`, bindings: { beginning: beginning(search) } }
  }
  if (search.startsWith(SESSION_PREFIX)) {
    return {
      sql: "(r.session_id LIKE :beginning OR r.id = ANY(:former))",
      bindings: { beginning: beginning(search), former },
    }
  }
  const branches: string[] = []
  const bindings: Bindings = {}
  if (search.length >= MIN_BEGINNING) {
    bindings["beginning"] = beginning(search)
    bindings["exactly"] = search
    branches.push(
      ...SEARCHED_IDS.map(
        (id) => `SELECT id FROM crypto_payment_request WHERE ${id} LIKE :beginning AND deleted_at IS NULL`
      ),
      OF_ORDERS(`SELECT id FROM "order" WHERE id = :exactly`)
    )
  }
  const number = /^#?(\d{1,10})$/.exec(search)?.[1]
  if (number !== undefined && Number(number) <= MAX_DISPLAY_ID) {
    bindings["display_id"] = Number(number)
    branches.push(OF_ORDERS(`SELECT id FROM "order" WHERE display_id = :display_id AND deleted_at IS NULL`))
  }
  return {
    sql: branches.length === 0 ? "false" : `r.id IN (${branches.join(" UNION ")})`,
    bindings,
  }
}

/** What belongs to orders: through the ledger, their carts, or their payment collections. */
function OF_ORDERS(orders: string): string {
  return `(
    WITH o AS MATERIALIZED (${orders})
    SELECT q.id FROM o JOIN crypto_payment_request q ON q.order_id = o.id AND q.deleted_at IS NULL
    UNION
    SELECT q.id FROM o
      JOIN order_cart oc ON oc.order_id = o.id AND oc.deleted_at IS NULL
      JOIN crypto_payment_request q ON q.cart_id = oc.cart_id AND q.deleted_at IS NULL
    UNION
    SELECT q.id FROM o
      JOIN order_payment_collection opc ON opc.order_id = o.id AND opc.deleted_at IS NULL
      JOIN crypto_payment_request q ON q.payment_collection_id = opc.payment_collection_id AND q.deleted_at IS NULL)`
}

/**
 * The ledger keeps no e-mail: it is looked up where Medusa has it, whose tables have no index for it. Each part stops by
 * itself at what is shown of it: to take out what is found twice, UNION would first read them all to their ends.
 */
const BY_EMAIL = `
  (SELECT q.id FROM cart c JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL
    WHERE lower(c.email) LIKE :email LIMIT ${String(MAX_FOUND)})
  UNION
  (SELECT q.id FROM customer u JOIN cart c ON c.customer_id = u.id
     JOIN crypto_payment_request q ON q.cart_id = c.id AND q.deleted_at IS NULL
    WHERE lower(u.email) LIKE :email LIMIT ${String(MAX_FOUND)})
  UNION ${OF_ORDERS(`SELECT id FROM "order" WHERE lower(email) LIKE :email LIMIT ${String(MAX_FOUND)}`)}
  LIMIT ${String(MAX_FOUND)}`

/** Looks an e-mail or a session up once, so that page and count need not both do it. At most 5000 rows are found. */
export async function lookUp(knex: Knex, filter: RequestFilter): Promise<LookedUpFilter> {
  const { q, ...rest } = filter
  if (q?.trim().startsWith(SESSION_PREFIX) === true) {
    const former = await runReport<{ id: string }>(knex, BY_FORMER_SESSION, { exactly: q.trim() })
    return { ...filter, former: former.map(({ id }) => id) }
  }
  if (q?.includes("@") !== true) {
    return filter
  }
  const rows = await runReport<{ id: string }>(knex, BY_EMAIL, { email: beginning(q.trim().toLowerCase()) })
  return { ...rest, ids: rows.map(({ id }) => id) }
}

function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`
}

/** Runs a statement over the filtered rows; `WHERE_` marks where the condition goes. */
export async function selectWhere<Row>(
  knex: Knex,
  sql: string,
  { sql: where, bindings }: Condition,
  more: Bindings = {}
): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(sql.replace("WHERE_", `WHERE ${where}`), {
    ...bindings,
    ...more,
  } as Record<string, Knex.RawBinding>)
  return rows
}
