import { toCoins } from "./amount-limits"
import { isCryptoProvider, type CryptoPaymentSession } from "./prepare-crypto-payment"
import { readCryptoPayment, toCryptoPaymentError, type CryptoPaymentStatus } from "./read-crypto-payment"
import type { StorefrontSdk } from "./sdk"

/**
 * What an order's page says of its payment.
 *
 * - `to_pay`: nothing was paid yet
 * - `rest_to_pay`: the order was changed after it was paid, or too little was paid; the rest is still owed
 * - `partial`: a part of a payment has arrived; the rest is paid by the same link
 * - `waiting`: for the confirmation of a payment; nothing more is to be paid
 * - `review`: a payment was received, and the shop is reviewing it
 * - `paid`, `partially_refunded`, `refunded`
 * - `canceled`: without a payment that was sent back
 * - `unknown`: there is no such order, or the store refuses to show it
 */
export type CryptoOrderState =
  | "to_pay"
  | "rest_to_pay"
  | "partial"
  | "waiting"
  | "review"
  | "paid"
  | "partially_refunded"
  | "refunded"
  | "canceled"
  | "unknown"

/** An order's payment. Plain data: a server may read it and pass it to a browser. It names no customer. */
export interface CryptoOrder {
  state: CryptoOrderState
  /** The number by which customer and shop know the order. */
  number?: number | undefined
  /** What the payment link asks for, in major units. Only with `to_pay` and `rest_to_pay`, when it can be paid. */
  owed?: number | undefined
  currencyCode?: string | undefined
  /** What to pay, for `prepareCryptoPayment`. Absent when nothing can be paid. */
  paymentCollectionId?: string | undefined
  /** Of that collection, likewise. */
  paymentSessions?: CryptoPaymentSession[] | undefined
  /** Until when the order can be paid, ISO 8601; absent without a limit. */
  payUntil?: string | undefined
}

/** Which order to read. */
export interface ReadCryptoOrderOptions {
  orderId: string
  /** The collection to pay. If it is not open any more, as after an order was changed, the order's open one is paid. */
  paymentCollectionId?: string | undefined
  /** For example `authorization`, when a server asks for its customer. */
  headers?: Record<string, string> | undefined
}

interface Order {
  display_id?: number
  status: string
  payment_status: string
  currency_code: string
  total: number
  summary?: { transaction_total?: number }
  payment_collections?: {
    id: string
    status: string
    amount: number
    payment_sessions?: CryptoPaymentSession[]
  }[]
}

/**
 * Core gives also the customer's name, address and e-mail unless it is told what to give. It gives payment sessions as
 * a whole or not at all: it leaves out each of their fields that is asked for by name.
 */
const FIELDS =
  "display_id,status,payment_status,currency_code,total,summary,*payment_collections.payment_sessions"

/** Payment collections in which nothing was paid. An order that was made dearer has one of these for the rest. */
const OPEN = ["not_paid", "awaiting"]

/** As for core, an order that owes no more than this owes nothing. */
const ONE_COIN = 1

/**
 * Reads an order and its open payment once: `GET /store/orders/:id`, and the status of the payment's sessions.
 *
 * @throws CryptoPaymentError `unreachable`
 */
export async function readCryptoOrder(
  sdk: StorefrontSdk,
  { orderId, paymentCollectionId, headers = {} }: ReadCryptoOrderOptions
): Promise<CryptoOrder> {
  const path = `/store/orders/${encodeURIComponent(orderId)}?fields=${FIELDS}`
  let order: Order
  try {
    // Next.js 14 would keep the first answer for ever.
    order = (await sdk.client.fetch<{ order: Order }>(path, { headers, cache: "no-store" })).order
  } catch (error) {
    const problem = toCryptoPaymentError(error)
    if (problem.code === "refused") {
      return { state: "unknown" }
    }
    throw problem
  }
  const received = order.summary?.transaction_total ?? 0
  const owed = toCoins(order.total - received)
  const isOpen = owed > ONE_COIN && order.status !== "canceled" && order.status !== "archived"
  const collections = order.payment_collections ?? []
  const open = collections.filter(({ status, amount }) => isOpen && OPEN.includes(status) && amount > 0)
  const collection = open.find(({ id }) => id === paymentCollectionId) ?? open[0]
  // A session's other fields name the customer, and anybody can call a server action that returns them.
  const paymentSessions = collection?.payment_sessions
    ?.filter(({ provider_id }) => isCryptoProvider(provider_id))
    .map(({ provider_id, data: { session_id, payment_link } = {} }) => ({
      provider_id,
      data: { session_id, payment_link },
    }))
  const statuses = await Promise.all(
    (paymentSessions ?? []).map(({ data }) =>
      readCryptoPayment(sdk, { sessionId: String(data.session_id), headers })
    )
    // Without an answer, the order alone says what is owed.
  ).catch(() => [])
  const unpaid = received > 0 ? "rest_to_pay" : "to_pay"
  const state =
    collection === undefined
      ? closedState(order, owed > ONE_COIN ? unpaid : "paid")
      : (statuses.map(arrivingState).find(Boolean) ?? unpaid)
  const isUnpaid = state === unpaid
  return {
    state,
    number: order.display_id,
    currencyCode: order.currency_code,
    payUntil: statuses.find(({ payUntil }) => payUntil)?.payUntil,
    ...(collection && isUnpaid && { owed: Math.min(toCoins(collection.amount), owed) / 100 }),
    ...((isUnpaid || state === "partial") && { paymentCollectionId: collection?.id, paymentSessions }),
  }
}

/** By core's statuses of money that is expected or was sent back. */
function closedState({ status, payment_status }: Order, otherwise: CryptoOrderState): CryptoOrderState {
  // For a cancelled order, the payer wants to know first where the money is.
  if (payment_status === "refunded" || payment_status === "partially_refunded") {
    return payment_status
  }
  // The Store API does not say that an archived order was cancelled. Core cancels its collections with it.
  if ((status === "archived" ? payment_status : status) === "canceled") {
    return "canceled"
  }
  // Core has captured what it has not booked on the order yet.
  const isCaptured = payment_status === "captured" && otherwise === "to_pay"
  return isCaptured || payment_status.endsWith("authorized") ? "waiting" : otherwise
}

/** Of an order whose payment has begun to arrive; undefined for a link that nobody has paid. */
function arrivingState({ status, review, partArrived }: CryptoPaymentStatus): CryptoOrderState | undefined {
  if (review || partArrived) {
    return review ? "review" : "partial"
  }
  return status === "processing" || status === "paid" ? "waiting" : undefined
}
