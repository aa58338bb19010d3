import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isMoreThan } from "../../../decision"
import { CAPTURED, IS_AUTHORIZED, readOwed, REFUNDED } from "./order-balance"
import { ADDRESSES, IS_CANCELED } from "./request-sql"

export const HAS_CANCELED_ORDER = `COALESCE(${IS_CANCELED}, false)`

/**
 * The order of a collection `pc` is cancelled or deleted. When core takes the order of a cart back, it removes the
 * order's row and may place another one: so for a cart's collection, a missing row is no deleted order.
 */
const IS_GIVEN_UP = `(${HAS_CANCELED_ORDER} OR (opc.order_id IS NOT NULL AND o.id IS NULL AND NOT EXISTS (
  SELECT 1 FROM cart_payment_collection own WHERE own.payment_collection_id = pc.id AND own.deleted_at IS NULL)))`

/** Who pays a collection, and how much of it can be paid. Names and e-mail are sent to the gateway and not stored. */
export interface CollectionFacts {
  currency_code: string
  cart_id: string | null
  order_id: string | null
  email: string | null
  first_name: string | null
  last_name: string | null
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
  /** What a link of it asks for: as much as the collection, and never more than its order owes. */
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

/**
 * Once there is an order, its e-mail and address are the payer's: they can be corrected, and the cart's cannot. A
 * cancelled order owes nothing, but the shopper sees that it is cancelled.
 */
async function readFacts(
  knex: Knex,
  from: string,
  condition: string,
  id: string
): Promise<SessionFacts | undefined> {
  const { rows } = await knex.raw<{ rows: Omit<SessionFacts, "link_amount">[] }>(
    `SELECT s.provider_id, pc.id AS payment_collection_id, round(s.amount, 2)::text AS amount,
            COALESCE(s.currency_code, pc.currency_code) AS currency_code, cpc.cart_id, o.id AS order_id,
            CASE WHEN o.id IS NULL THEN c.email ELSE o.email END AS email,
            CASE WHEN o.id IS NULL THEN COALESCE(cs.first_name, cb.first_name)
                 ELSE COALESCE(os.first_name, ob.first_name) END AS first_name,
            CASE WHEN o.id IS NULL THEN COALESCE(cs.last_name, cb.last_name)
                 ELSE COALESCE(os.last_name, ob.last_name) END AS last_name,
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
       ${ADDRESSES}
      WHERE ${condition} AND pc.deleted_at IS NULL
      LIMIT 1`,
    [id]
  )
  const [found] = rows
  if (found === undefined) {
    return undefined
  }
  const { order_id, collection_amount } = found
  const owed = order_id === null ? null : await readOwed(knex, order_id)
  return {
    ...found,
    is_paid: found.is_paid || (owed !== null && !found.is_canceled && !isMoreThan(owed, "0")),
    link_amount: owed !== null && isMoreThan(collection_amount, owed) ? owed : collection_amount,
  }
}
