import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { BigNumberInput } from "@medusajs/framework/types"
import { defaultCurrencies, getEpsilonFromDecimalPrecision, MathBN } from "@medusajs/framework/utils"
import { unexpectedState } from "../errors"
import { queryByIds } from "../store-query"
import { IS_CRYPTO, IS_REGISTERED, REQUESTS } from "./request-sql"

/**
 * What an order owes: its total minus what was paid in its currency; or nothing when no more than one smallest coin of
 * the currency is left. Core calls the two `current_order_total` and `transaction_total`.
 *
 * Items whose return is only requested are owed: anybody who knows the order's id can request a return. What was
 * received back, or a confirmed change, counts. Core's `pending_difference` deducts requested returns too, so it says
 * what to refund and not what is owed.
 *
 * Core's own total of the order, which Query gives, is of its current version. What core stores in `order_summary`
 * leaves out taxes that were added after the order was created.
 *
 * Payments are counted by captures and refunds, not by their bookings, which core writes later and may lose. A
 * transaction without either, such as of an imported order, counts as it is booked.
 */

/**
 * Whether the transaction `other` books a capture or a refund of the order's own payments. Its words alone prove
 * nothing: an imported or split order may have brought core's words with it. So the capture, refund or payment has to
 * exist, deleted or not, and must not be another order's. A booking that is left of a deleted capture is no money.
 *
 * Core names a refund by its own id, or by its payment's when several payments are refunded at once.
 */
const BOOKS_A_PAYMENT = `(other.reference IN ('capture', 'refund') AND EXISTS (
  SELECT 1 FROM payment booked
   WHERE booked.id = CASE other.reference
           WHEN 'capture' THEN (SELECT cap.payment_id FROM capture cap WHERE cap.id = other.reference_id)
           ELSE COALESCE((SELECT ref.payment_id FROM refund ref WHERE ref.id = other.reference_id), other.reference_id) END
     AND NOT EXISTS (SELECT 1 FROM order_payment_collection elsewhere
                      WHERE elsewhere.payment_collection_id = booked.payment_collection_id
                        AND elsewhere.order_id <> other.order_id AND elsewhere.deleted_at IS NULL)))`

/**
 * What the order's transactions book in its currency other than through its payments in Medusa.
 *
 * @param condition on `other`
 */
export const OTHER_TRANSACTIONS = (orderId: string, condition = "true"): string => `(
  SELECT COALESCE(SUM(other.amount), 0) FROM order_transaction other
    JOIN "order" booked_order ON booked_order.id = other.order_id AND lower(booked_order.currency_code) = lower(other.currency_code)
   WHERE other.order_id = ${orderId} AND other.deleted_at IS NULL
     AND ${condition} AND NOT COALESCE(${BOOKS_A_PAYMENT}, false))`

/** What an order or a cart costs. */
export interface Total {
  id: string
  currency_code: string
  /** Major units, with all its digits. */
  raw_total: BigNumberInput
}

/** Core's totals of those that exist, cancelled orders too. @param more what is read in the same statements */
export async function readTotals<Found extends Total = Total>(
  entity: "order" | "cart",
  ids: readonly (string | null)[],
  more: readonly string[] = []
): Promise<Map<string, Found>> {
  const fields = ["id", "currency_code", "total", "raw_total", ...more]
  const totals = await queryByIds<Found>(entity, fields, ids)
  for (const { id, raw_total } of totals.values() as Iterable<Partial<Total>>) {
    if (raw_total === undefined) {
      // Without it, the order would seem to owe nothing.
      throw unexpectedState(`Medusa gave no total of the ${entity} ${String(id)}.`)
    }
  }
  return totals
}

/** What an order owes once this was received, as core counts; below zero when it was too much. */
export function outstandingOf({ currency_code, raw_total }: Total, received: string): string {
  const outstanding = MathBN.sub(raw_total, received)
  const smallestCoin = getEpsilonFromDecimalPrecision(
    defaultCurrencies[currency_code.toUpperCase()]?.decimal_digits
  )
  return MathBN.lte(MathBN.abs(outstanding), smallestCoin) ? "0" : outstanding.toFixed()
}

/**
 * Whether a refund row `ref` of a payment `p` is of money that was sent back. Core writes the row before it asks the
 * provider: for a crypto payment only a registration proves it. A row without one was left by a process that died.
 */
const IS_REFUND_MADE = `(NOT ${IS_CRYPTO("p.provider_id")} OR ${IS_REGISTERED})`

/** What was captured of a payment `p`, and what of that was sent back. */
export const CAPTURED = `(
  SELECT COALESCE(SUM(cap.amount), 0) FROM capture cap WHERE cap.payment_id = p.id AND cap.deleted_at IS NULL)`
export const REFUNDED = `(
  SELECT COALESCE(SUM(ref.amount), 0) FROM refund ref
   WHERE ref.payment_id = p.id AND ref.deleted_at IS NULL AND ${IS_REFUND_MADE})`

/**
 * Another provider has authorized a payment `p` and may capture it. Core deletes the session of a payment that it
 * voids, and keeps the payment. Core's manual payment is only a plan to pay: its order can be paid in crypto instead.
 */
export const IS_AUTHORIZED = `(p.captured_at IS NULL AND p.canceled_at IS NULL AND p.deleted_at IS NULL
  AND NOT ${IS_CRYPTO("p.provider_id")} AND p.provider_id <> 'pp_system_default'
  AND EXISTS (SELECT 1 FROM payment_session held WHERE held.id = p.payment_session_id AND held.deleted_at IS NULL))`

/**
 * The order's payment collections, and its cart's: core links that one to the order too, but not to a draft that was
 * made of the cart, and another provider can still capture a payment of it.
 */
const COLLECTIONS_OF = (orderId: string): string => `(
  SELECT opc.payment_collection_id FROM order_payment_collection opc
   WHERE opc.order_id = ${orderId} AND opc.deleted_at IS NULL
   UNION
  SELECT cpc.payment_collection_id FROM order_cart oc
    JOIN cart_payment_collection cpc ON cpc.cart_id = oc.cart_id AND cpc.deleted_at IS NULL
   WHERE oc.order_id = ${orderId} AND oc.deleted_at IS NULL)`

/** What was received for an order `o`, as far as it still counts. */
export const RECEIVED = (ofPayments = `${CAPTURED} - ${REFUNDED}`): string => `(
  ${OTHER_TRANSACTIONS("o.id")} + COALESCE((
    SELECT SUM(${ofPayments})
      FROM ${COLLECTIONS_OF("o.id")} own
      JOIN payment p ON p.payment_collection_id = own.payment_collection_id AND p.deleted_at IS NULL
       AND lower(p.currency_code) = lower(o.currency_code)), 0))::text`

/** What each order owes, cancelled ones too; below zero when more was paid than it costs. */
export async function readOutstanding(
  knex: Knex,
  orderIds: readonly string[],
  received = RECEIVED()
): Promise<Map<string, string>> {
  const { rows } = await knex.raw<{ rows: { order_id: string; received: string }[] }>(
    `SELECT o.id AS order_id, ${received} AS received
       FROM "order" o WHERE o.id = ANY(:orderIds) AND o.deleted_at IS NULL`,
    { orderIds: [...orderIds] }
  )
  // After the payments: while core books a refund, the order never seems to owe what was sent back.
  const totals = await readTotals("order", orderIds)
  return new Map(
    rows.flatMap(({ order_id, received: amount }) => {
      const total = totals.get(order_id)
      return total === undefined ? [] : [[order_id, outstandingOf(total, amount)] as const]
    })
  )
}

export async function readOwed(knex: Knex, orderId: string): Promise<string> {
  return (await readOutstanding(knex, [orderId])).get(orderId) ?? "0"
}

/** What each order owes that no authorized payment covers. */
export async function readUncovered(knex: Knex, orderIds: readonly string[]): Promise<Map<string, string>> {
  const expected = `GREATEST(${CAPTURED}, CASE WHEN ${IS_AUTHORIZED} THEN p.amount END) - ${REFUNDED}`
  return await readOutstanding(knex, orderIds, RECEIVED(expected))
}

/**
 * Money that was received for an order in other ways than by its payment links: by another provider, or marked as paid.
 * When it grows after a payment was settled, too much may have been paid, and the payment is checked again.
 *
 * The row keeps the sum that its last settle saw, and not the time: so a capture during that settle is noticed,
 * whatever the clocks of the servers say. Refunds are left out, so that the sum only grows. Each row judges its own
 * payment; `r` asks.
 */
export const OTHER_PAYMENTS_NOW = (orderId: string): string => `(
  ${OTHER_TRANSACTIONS(orderId, "other.amount > 0")} + (
  SELECT COALESCE(SUM(cap.amount), 0)
    FROM ${COLLECTIONS_OF(orderId)} of_order
    JOIN payment p ON p.payment_collection_id = of_order.payment_collection_id AND p.deleted_at IS NULL
     AND lower(p.currency_code) = (SELECT lower(paid.currency_code) FROM "order" paid WHERE paid.id = ${orderId})
    JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
   WHERE p.payment_session_id IS DISTINCT FROM r.paid_session_id
     AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} paying
                      WHERE paying.paid_session_id = p.payment_session_id AND paying.deleted_at IS NULL)))`

/** Whether this grew after `r` was settled. Only the last settled payment of an order asks: one surplus is one case. */
export const IS_PAID_AGAIN = (orderId: string): string => `(
  r.settled_at IS NOT NULL AND COALESCE(${OTHER_PAYMENTS_NOW(orderId)} > COALESCE(r.other_payments::numeric, 0), false)
  AND NOT EXISTS (
    SELECT 1 FROM ${REQUESTS} newer
     WHERE newer.order_id = ${orderId} AND newer.state = 'captured' AND newer.deleted_at IS NULL
       AND (newer.settled_at, newer.id) > (r.settled_at, r.id)))`
