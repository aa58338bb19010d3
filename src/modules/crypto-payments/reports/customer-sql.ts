import { ADDRESSES } from "../payment-requests/request-sql"

/** Medusa's customer of the order, else of the cart. The plugin stores none of it. */
export interface Customer {
  /** `cus_…`; null if the order or cart has no customer, or the customer was deleted. */
  id: string | null
  name: string | null
  email: string | null
}

/** What an admin user may see in addition to payments. Medusa's roles grant each separately. */
export interface Viewer {
  customers: boolean
  users: boolean
  orders: boolean
}

const FULL_NAME = (table: string): string =>
  `NULLIF(concat_ws(' ', NULLIF(trim(${table}.first_name), ''), NULLIF(trim(${table}.last_name), '')), '')`

/** An admin user without a name is shown by the e-mail address. */
export const USER_NAME = (table: string): string => `COALESCE(${FULL_NAME(table)}, ${table}.email)`

/** For rows `r` with their order `o`: each table is read by its key, for the rows of one page. */
export const CUSTOMER_JOINS = `
    LEFT JOIN cart c ON c.id = r.cart_id
    LEFT JOIN customer u ON u.id = COALESCE(o.customer_id, c.customer_id) AND u.deleted_at IS NULL${ADDRESSES}`

/** A guest's customer has no name: then the address's name is used. */
const NAME = `COALESCE(${["u", "os", "ob", "cs", "cb"].map(FULL_NAME).join(", ")})`
export const EMAIL = "COALESCE(o.email, c.email, u.email)"

export const CUSTOMER = `CASE WHEN COALESCE(u.id, ${EMAIL}, ${NAME}) IS NOT NULL
    THEN jsonb_build_object('id', u.id, 'name', ${NAME}, 'email', ${EMAIL}) END`

/** The limit of each part of a search. */
export const MOST_FOUND = 5000
export const MAX_FOUND = `LIMIT ${String(MOST_FOUND)}`

/** Whether a name, or its last part, begins with the binding `:name`. */
const IS_NAMED = (table: string): string =>
  `(lower(${FULL_NAME(table)}) LIKE lower(:name) OR lower(${table}.last_name) LIKE lower(:name))`

const NAMED = (table: string, condition: string): string =>
  `AS MATERIALIZED (SELECT named.id FROM ${table} named WHERE ${condition} AND ${IS_NAMED("named")} ${MAX_FOUND})`

/** Customers and addresses of this name. Their tables have no index for names: each is read once. */
export const PEOPLE = `
  person ${NAMED("customer", "named.deleted_at IS NULL")},
  address_of_cart ${NAMED("cart_address", "true")},
  address_of_order ${NAMED("order_address", "true")}`

/** A row of NULL if a part `parts` of the search has reached its limit. */
export const IF_LIMITED = (...parts: string[]): string =>
  `SELECT NULL WHERE ${String(MOST_FOUND)} IN (${parts.map((part) => `(SELECT count(*) FROM ${part})`).join(", ")})`

/** Carts or orders of `PEOPLE`. */
export const OF_PEOPLE = (kind: "cart" | "order"): string => {
  const owner = `"${kind}"`
  const isKept = "owner.deleted_at IS NULL"
  const addresses = ["shipping_address_id", "billing_address_id"].map(
    (column) =>
      `SELECT owner.id FROM address_of_${kind} address JOIN ${owner} owner ON owner.${column} = address.id AND ${isKept}`
  )
  return `
    SELECT owner.id FROM person JOIN ${owner} owner ON owner.customer_id = person.id AND ${isKept}
    UNION ${addresses.join(" UNION ")}`
}
