import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isMoreThan } from "../../../decision"
import { CAPTURED, IS_AUTHORIZED, readOwed, REFUNDED } from "./order-balance"
import { queryBuyers } from "../store-query"
import { IS_CANCELED } from "./request-sql"

export const HAS_CANCELED_ORDER = `COALESCE(${IS_CANCELED}, false)`

/**
 * The order of a collection `pc` is cancelled or deleted. When core takes the order of a cart back, it removes the
 * order's row and may place another one: so for a cart's collection, a missing row is no deleted order.
 */
const IS_GIVEN_UP = `(${HAS_CANCELED_ORDER} OR (opc.order_id IS NOT NULL AND o.id IS NULL AND NOT EXISTS (
  SELECT 1 FROM cart_payment_collection own WHERE own.payment_collection_id = pc.id AND own.deleted_at IS NULL)))`

/** Sent to the gateway and not stored. */
export interface Payer {
  email: string | null
  first_name: string | null
  last_name: string | null
  /** Where the goods go, for example `us`. */
  country_code: string | null
}

/** Whose collection it is, and how much of it can be paid. */
export interface CollectionFacts {
  currency_code: string
  cart_id: string | null
  order_id: string | null
  /** Its captures minus refunds cover what it asks for, or its order is not cancelled and owes nothing. */
  is_paid: boolean
  is_canceled: boolean
  /** It asks for another currency than its order or cart has, as after a refused change of the cart's region. */
  is_in_other_currency: boolean
  /** Something was captured in it and not sent back. Core takes no second payment in such a collection. */
  is_partly_paid: boolean
  /** Another provider has authorized a payment of its order. Core voids that payment when it deletes the session. */
  is_authorized: boolean
  collection_amount: string
  /**
   * What a link of it asks for: as much as the collection, and never more than its order owes. The collection of a cart
   * is for all that its order owes: core lowers it for a return that anybody requests.
   */
  link_amount: string
}

export interface SessionFacts extends CollectionFacts {
  provider_id: string
  payment_collection_id: string
  /** Two decimals, in major units. */
  amount: string
}

export async function readSessionFacts(knex: Knex, sessionId: string): Promise<SessionFacts | undefined> {
  const from = "payment_session s JOIN payment_collection pc ON pc.id = s.payment_collection_id"
  return await readFacts(knex, from, "s.id = ? AND s.deleted_at IS NULL", sessionId)
}

/** Before there is a session. @returns undefined when the collection does not exist */
export async function readCollectionFacts(
  knex: Knex,
  collectionId: string
): Promise<CollectionFacts | undefined> {
  const from = "payment_collection pc LEFT JOIN payment_session s ON false"
  return await readFacts(knex, from, "pc.id = ?", collectionId)
}

/** A cancelled order owes nothing, but the shopper sees that it is cancelled. */
async function readFacts(
  knex: Knex,
  from: string,
  condition: string,
  id: string
): Promise<SessionFacts | undefined> {
  const { rows } = await knex.raw<{ rows: Omit<SessionFacts, "link_amount">[] }>(
    `SELECT s.provider_id, pc.id AS payment_collection_id, round(s.amount, 2)::text AS amount,
            COALESCE(s.currency_code, pc.currency_code) AS currency_code, cpc.cart_id, o.id AS order_id,
            pc.amount > 0 AND COALESCE(pc.captured_amount, 0) - COALESCE(pc.refunded_amount, 0) >= pc.amount AS is_paid,
            ${IS_GIVEN_UP} AS is_canceled,
            COALESCE(COALESCE(o.currency_code, c.currency_code) <> pc.currency_code, false) AS is_in_other_currency,
            EXISTS (SELECT 1 FROM payment p
                     WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL
                       AND ${CAPTURED} > ${REFUNDED}) AS is_partly_paid,
            o.id IS NOT NULL
              AND EXISTS (SELECT 1 FROM payment p WHERE p.payment_collection_id = pc.id AND ${IS_AUTHORIZED})
              AS is_authorized,
            pc.amount::text AS collection_amount
       FROM ${from}
       LEFT JOIN cart_payment_collection cpc
         ON cpc.payment_collection_id = pc.id AND cpc.deleted_at IS NULL
       LEFT JOIN cart c ON c.id = cpc.cart_id AND c.deleted_at IS NULL
       LEFT JOIN order_payment_collection opc
         ON opc.payment_collection_id = pc.id AND opc.deleted_at IS NULL
       LEFT JOIN "order" o ON o.id = opc.order_id AND o.deleted_at IS NULL
      WHERE ${condition} AND pc.deleted_at IS NULL
      LIMIT 1`,
    [id]
  )
  const [found] = rows
  if (found === undefined) {
    return undefined
  }
  const { order_id, cart_id, collection_amount } = found
  const owed = order_id === null ? null : await readOwed(knex, order_id)
  return {
    ...found,
    is_paid: found.is_paid || (owed !== null && !found.is_canceled && !isMoreThan(owed, "0")),
    link_amount:
      owed !== null && (cart_id !== null || isMoreThan(collection_amount, owed)) ? owed : collection_amount,
  }
}

/** Once there is an order, its e-mail and address are the payer's: they can be corrected, and the cart's cannot. */
export async function readPayer({
  order_id,
  cart_id,
}: Pick<CollectionFacts, "order_id" | "cart_id">): Promise<Payer> {
  const buyers =
    order_id === null ? await queryBuyers("cart", [cart_id]) : await queryBuyers("order", [order_id])
  const {
    email = null,
    shipping_address: shipping,
    billing_address: billing,
  } = buyers.get(order_id ?? cart_id ?? "") ?? {}
  const first_name = shipping?.first_name ?? billing?.first_name ?? null
  const last_name = shipping?.last_name ?? billing?.last_name ?? null
  return { email, first_name, last_name, country_code: shipping?.country_code ?? null }
}
