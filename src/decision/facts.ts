import type { CryptoPaymentRequestRow } from "../modules/crypto-payments/models/crypto-payment-request"

export type DecidedRow = CryptoPaymentRequestRow

/** What Medusa has for one payment request. Amounts are decimal strings in major units. */
export interface DecidedFacts {
  /** The database's time of this read. All dates use it. */
  database_now: Date
  session_amount: string | null
  session_currency_code: string | null
  /** When the link was last offered: the payment step creates a new session each time. */
  session_created_at: Date | null
  collection_amount: string | null
  collection_currency_code: string | null
  /**
   * What the request pays for now: its order, else its cart, else its collection. It has to have the payment's
   * currency.
   */
  asked_currency_code: string | null
  /**
   * What a cart asks for that is no order yet: its total once money was received for it, and what its collection asks
   * for until then. Null otherwise: of an order, `order_unpaid` says what it owes.
   */
  asked_amount: string | null
  /** What was captured in that collection, by any provider. */
  collection_captured: string
  cart_id: string | null
  payment_id: string | null
  payment_captured: string
  /** The sum of core's refunds of the payment that a registration led to. */
  payment_refunded: string
  /** Sum of the registered refunds, booked in Medusa or not. */
  registered_refund: string
  /** The order that was placed. For a row with a cart, only an order that is linked to the cart. */
  order_id: string | null
  /** False without an order. */
  order_canceled: boolean
  /** When the order is cancelled because nobody has paid it: `order-expiry.ts`. Null for never. */
  order_expires_at: Date | null
  /** How long the order may stay unpaid; null without a limit. */
  unpaid_ttl_minutes: number | null
  /** Somebody has deleted the order. When core takes an order back from a cart, it removes the row instead. */
  order_deleted: boolean
  /**
   * The order is linked to its cart or collection, and the bookings of our capture add up.
   * Core links an order to its cart before it books, and may still take the order back.
   */
  order_booked: boolean
  first_captured_at: Date | null
  /** What core has booked of the capture on the order. More than the captured amount means a double booking. */
  order_booked_amount: string
  /** What the order owes, as core calls it: `payment-requests/order-balance.ts`. Below zero when overpaid. */
  order_unpaid: string | null
  /** Without this request's payment the order owes nothing, and something was paid for it. */
  paid_by_another: boolean
  /**
   * A payment of another provider has begun, is authorized or is captured for its order or collection. Core's manual
   * payment is only a plan to pay.
   */
  is_other_payment_begun: boolean
  /** medusa-config does not register the provider: its gateway cannot be read, and core cannot capture. */
  provider_missing: boolean
  /** What was ever paid for the order other than by payment links, whether or not it was sent back. */
  other_payments: string
  /** More of that was received after the row was settled, and no later settled payment has to judge it. */
  is_paid_again: boolean
  /** The unpaid collection of its cart or order that asks for exactly this and that nothing is about to pay. */
  adopting_collection_id: string | null
}
