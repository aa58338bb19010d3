import type { DecidedFacts, DecidedRow } from "./facts"

// A ledger row and Medusa's facts for it, for the specs that change what they are about. No tests in it: its name keeps
// it out of the build.

export const NOW = new Date("2026-11-22T12:00:00Z")

/** A link of 20.01 USD that was given out now and never read. */
export const OPEN_ROW = {
  amount: "20.01",
  currency_code: "usd",
  created_at: NOW,
  paid_at: null,
  gateway_status: null,
  status_since: null,
  gateway_amount: null,
  gateway_currency_symbol: null,
  paid_amount: null,
  failure: null,
  failing_since: null,
  unread_since: null,
  state: "open",
  remind_at: null,
  order_id: null,
  captured_at: null,
  settled_at: null,
  last_webhook_at: null,
  notified_at: null,
  is_reported_paid: false,
  denied_at: null,
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
} as DecidedRow

/** What a read of the gateway that says PAID leaves in a row. */
export const PAID = {
  state: "paid",
  paid_at: NOW,
  gateway_status: "PAID",
  gateway_amount: "20.01000000000000",
  gateway_currency_symbol: "USD",
} as const

/** Medusa has nothing for the row. */
export const NO_FACTS: DecidedFacts = {
  database_now: NOW,
  session_amount: null,
  session_currency_code: null,
  session_created_at: null,
  collection_amount: null,
  collection_currency_code: null,
  asked_currency_code: null,
  asked_amount: null,
  collection_captured: "0",
  cart_id: null,
  payment_id: null,
  payment_captured: "0",
  payment_refunded: "0",
  registered_refund: "0",
  order_id: null,
  order_canceled: false,
  order_deleted: false,
  order_booked: false,
  order_booked_amount: "0",
  order_unpaid: null,
  paid_by_another: false,
  is_other_payment_begun: false,
  other_payments: "0",
  is_paid_again: false,
  provider_missing: false,
  adopting_collection_id: null,
  order_expires_at: null,
  unpaid_ttl_minutes: null,
  first_captured_at: null,
}

/** A live session of the right amount, nothing captured, no order. */
export const UNCAPTURED: DecidedFacts = {
  ...NO_FACTS,
  session_amount: "20.01",
  session_currency_code: "usd",
  asked_currency_code: "usd",
  asked_amount: "20.01",
  cart_id: "cart_1",
}
