/** The admin user's roles decide what is shown in addition to payments: Medusa's roles grant each separately. */
export interface Viewer {
  customers: boolean
  users: boolean
  orders: boolean
}

/** First and last name of a row of Medusa's, as one text; null when it has neither. */
const FULL_NAME = (table: string): string =>
  `NULLIF(concat_ws(' ', NULLIF(trim(${table}.first_name), ''), NULLIF(trim(${table}.last_name), '')), '')`

/** An admin user without a name is known by the e-mail address. */
export const USER_NAME = (table: string): string => `COALESCE(${FULL_NAME(table)}, ${table}.email)`

/** For rows `r` with their order `o`: each table is read by its key, for the rows of one page. */
export const CUSTOMER_JOINS = `
    LEFT JOIN cart c ON c.id = r.cart_id
    LEFT JOIN customer u ON u.id = COALESCE(o.customer_id, c.customer_id) AND u.deleted_at IS NULL
    LEFT JOIN order_address order_shipping ON order_shipping.id = o.shipping_address_id
    LEFT JOIN order_address order_billing ON order_billing.id = o.billing_address_id
    LEFT JOIN cart_address cart_shipping ON cart_shipping.id = c.shipping_address_id
    LEFT JOIN cart_address cart_billing ON cart_billing.id = c.billing_address_id`

/** A guest's customer has no name: then the name of the address counts. */
const NAME = `COALESCE(${["u", "order_shipping", "order_billing", "cart_shipping", "cart_billing"]
  .map(FULL_NAME)
  .join(", ")})`
export const EMAIL = "COALESCE(o.email, c.email, u.email)"

/** `Customer` of the HTTP contract, or null if Medusa has no customer. */
export const CUSTOMER = `CASE WHEN COALESCE(u.id, ${EMAIL}, ${NAME}) IS NOT NULL
    THEN jsonb_build_object('id', u.id, 'name', ${NAME}, 'email', ${EMAIL}) END`

/** So much each part of a search finds at most. */
export const MAX_FOUND = "LIMIT 5000"

/** Whether a name begins with the binding `:name`, or its last part does. */
const IS_NAMED = (table: string): string =>
  `(lower(${FULL_NAME(table)}) LIKE lower(:name) OR lower(${table}.last_name) LIKE lower(:name))`

/**
 * Ids of the carts or orders of people of this name: of their customers and of their addresses. Medusa's tables have no
 * index for names, so each is read once; what was found in it is then joined by indexes.
 */
export const OF_PEOPLE = (kind: "cart" | "order"): string => {
  const owner = `"${kind}"`
  const isKept = "owner.deleted_at IS NULL"
  const addresses = ["shipping_address_id", "billing_address_id"].map(
    (column) =>
      `SELECT owner.id FROM address JOIN ${owner} owner ON owner.${column} = address.id AND ${isKept}`
  )
  return `
    WITH person AS MATERIALIZED (
           SELECT p.id FROM customer p WHERE p.deleted_at IS NULL AND ${IS_NAMED("p")} ${MAX_FOUND}),
         address AS MATERIALIZED (
           SELECT a.id FROM ${kind}_address a WHERE ${IS_NAMED("a")} ${MAX_FOUND})
    SELECT owner.id FROM person JOIN ${owner} owner ON owner.customer_id = person.id AND ${isKept}
    UNION ${addresses.join(" UNION ")}`
}
