import type { OrderTime } from "./order-expiry"

/**
 * Why nobody was asked.
 *
 * - `provider_missing`: medusa-config does not register the provider
 * - `former_address`: the request was made at a former address, and nobody has said whether the account is the same
 * - `other_account`: the present address is of another account
 */
export const NOT_ASKED = ["provider_missing", "former_address", "other_account"] as const

export type NotAsked = (typeof NOT_ASKED)[number]

/**
 * How a read of the gateway failed. Each kind has its own time limit, which begins anew when the kind changes.
 *
 * - `refused`: the gateway itself refuses, or an address that need not be the gateway's answers 401, 404 or 410
 * - `unreadable`: no answer, an answer against the interface, or possibly an answer of a proxy or firewall
 * - `unknown_to_gateway`: the gateway itself answers that it has no such payment request
 */
export const READ_FAILURES = ["refused", "unreadable", "unknown_to_gateway", ...NOT_ASKED] as const

export type ReadFailure = (typeof READ_FAILURES)[number]

/** The columns of a row that a decision uses. */
export interface DecidedRow {
  amount: string
  currency_code: string
  created_at: Date
  paid_at: Date | null
  gateway_status: string | null
  gateway_amount: string | null
  gateway_currency_symbol: string | null
  failure: ReadFailure | null
  failing_since: Date | null
  unread_since: Date | null
  state: string
  order_id: string | null
  captured_at: Date | null
  settled_at: Date | null
  last_webhook_at: Date | null
  notified_at: Date | null
  /** A genuine notification has said PAID. The gateway's reads may be late. */
  is_reported_paid: boolean
  /** The row's case, open or closed by an admin user. */
  attention_reason: string | null
  attention_since: Date | null
  attention_resolved_at: Date | null
}

/** What Medusa has for one payment request. Amounts are decimal strings in major units. */
export interface DecidedFacts extends OrderTime {
  /** The database's time of this read. All dates use it. */
  database_now: Date
  session_amount: string | null
  session_currency_code: string | null
  /** When the link was last offered: the payment step creates a new session each time. */
  session_created_at: Date | null
  collection_amount: string | null
  /** What was captured in that collection, by any provider. */
  collection_captured: string
  /** A payment of that collection is authorized and not captured yet. */
  collection_has_open_payment: boolean
  /** Another collection of the order, in which nothing was paid, still asks for money. */
  rest_is_asked_for: boolean
  cart_id: string | null
  payment_captured: string
  /** The sum of core's refunds of the payment that a registration led to. */
  payment_refunded: string
  /** Sum of the registered refunds, booked in Medusa or not. */
  registered_refund: string
  /** The order that was placed. For a row with a cart, only an order that is linked to the cart. */
  order_id: string | null
  /** False without an order. */
  order_canceled: boolean
  /** Somebody has deleted the order. When core takes an order back from a cart, it removes the row instead. */
  order_deleted: boolean
  /**
   * The order is linked to its cart or collection, and the bookings of our capture add up and are in the order's sums.
   * Core links an order to its cart before it books, and may still take the order back.
   */
  order_booked: boolean
  first_captured_at: Date | null
  /** What core has booked of the capture on the order. More than the captured amount means a double booking. */
  order_booked_amount: string
  /** Core's stored sums of the order, which the admin shows, differ from its transactions. */
  are_order_sums_wrong: boolean
  /** What the order owes, as core calls it: `payment-requests/order-balance.ts`. Below zero when overpaid. */
  order_unpaid: string | null
  /** Without this request's payment the order owes nothing, and something was paid for it. */
  paid_by_another: boolean
  /** medusa-config does not register the provider: its gateway cannot be read, and core cannot capture. */
  provider_missing: boolean
  /** What was ever paid for the order other than by payment links, whether or not it was sent back. */
  other_payments: string
  /** More of that was received after the row was settled, and no later settled payment has to judge it. */
  is_paid_again: boolean
  /** The provider that has paid the order instead, if any. */
  paid_by_provider: string | null
  /** The unpaid collection of its cart or order that asks for exactly this and that nothing is about to pay. */
  adopting_collection_id: string | null
  /** The collection was deleted or taken off the order, after one of its links was given out. */
  is_collection_deleted: boolean
  /** The money has no session because its collection was deleted, and the order owes it: it needs a new collection. */
  needs_collection: boolean
  /** What a link of the collection may ask for now: all that the order owes, or a deposit. Null without an order. */
  link_amount: string | null
  /** Its collection asks for a part of what the order owes, on purpose. */
  is_deposit: boolean
  /** When a shopper last asked for a link of what the order owes now. */
  link_asked_at: Date | null
  renewal_tried_at: Date | null
  /** When the first of the failed tries was. */
  renewal_failing_since: Date | null
  /** What keeps core from cancelling the order: `fulfillment`, or the type of its open change. */
  order_obstacle: string | null
  /** The order's newest link that the gateway shows. */
  is_newest_link: boolean
}
