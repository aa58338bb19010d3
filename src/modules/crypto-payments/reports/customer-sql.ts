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
