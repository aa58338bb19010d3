import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * Life of a payment request in the ledger.
 *
 * - `creating`: the create call is under way, or was cut off (then its outcome is unknown)
 * - `open`: the payer has the link
 * - `superseded`: its session is gone; the link is still watched, because it stays payable
 * - `closed`: not offered again: watched to the end, unknown to the gateway, or its creation failed. A notification, a
 *   return or a hit in the gateway's list still checks it, because what exists at the gateway stays payable
 * - `paid`: the gateway said PAID, Medusa has not captured it
 * - `captured`: Medusa has captured it; `settled_at` once nothing more is to do
 * - `refunded`: what was captured is refunded in full
 */
export const REQUEST_STATES = [
  "creating",
  "open",
  "superseded",
  "closed",
  "paid",
  "captured",
  "refunded",
] as const

export type RequestState = (typeof REQUEST_STATES)[number]

/**
 * One row per link ever issued: who it belongs to, what it must be paid with, what the gateway last said of it.
 * Amounts are decimal strings in major units: `amount`, which was asked for, of `currency_code`, and fiat that came of
 * `gateway_currency_symbol`. No payer data beyond a keyed digest.
 */
export const CryptoPaymentRequest = model
  .define("crypto_payment_request", {
    id: model.id({ prefix: "cpreq" }).primaryKey(),
    provider_id: model.text(),
    /** The address the row is read at. It changes when the gateway moves, and identifies nothing. */
    gateway_origin: model.text(),
    /**
     * With `payment_request_id`, what identifies the gateway payment: a name that is kept when the address changes.
     * A release that does not know the column leaves it out; a trigger fills it in then.
     */
    gateway_account: model.text(),
    payment_request_id: model.text().nullable(),
    payment_link: model.text().nullable(),

    /** The session it is bound to, which no other row is; `stray:…` when it is bound to none. */
    session_id: model.text(),
    /** Every session the link was ever bound to, the one its note names among them; former ones may read the status only. */
    session_ids: model.array(),
    /** The one session this request pays, claimed before core is told `captured`. No other row has it. */
    paid_session_id: model.text().nullable(),
    /** Null only for a paid request whose session nobody knows any more. */
    payment_collection_id: model.text().nullable(),
    cart_id: model.text().nullable(),
    order_id: model.text().nullable(),

    amount: model.text(),
    currency_code: model.text(),
    payer_digest: model.text().nullable(),
    state: model.enum([...REQUEST_STATES]).default("creating"),

    gateway_status: model.text().nullable(),
    gateway_amount: model.text().nullable(),
    gateway_currency_symbol: model.text().nullable(),
    payment_currency: model.text().nullable(),
    payment_amount: model.text().nullable(),
    receiving_amount: model.text().nullable(),
    fee_amount: model.text().nullable(),
    fee_paid_by: model.text().nullable(),
    ref_id: model.text().nullable(),

    paid_at: model.dateTime().nullable(),
    captured_at: model.dateTime().nullable(),
    settled_at: model.dateTime().nullable(),
    /** When the first refund was registered: from then on the money pays for nothing new. */
    refund_registered_at: model.dateTime().nullable(),

    attention_reason: model.text().nullable(),
    attention_since: model.dateTime().nullable(),
    attention_resolved_at: model.dateTime().nullable(),
    attention_note: model.text().nullable(),

    failure: model.enum(["refused", "unreadable"]).nullable(),
    failing_since: model.dateTime().nullable(),
    last_checked_at: model.dateTime().nullable(),
    last_webhook_at: model.dateTime().nullable(),
    next_check_at: model.dateTime().nullable(),
    /** Someone asked for a check; a settle that began before this runs once more. */
    check_requested_at: model.dateTime().nullable(),
    lease_until: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["gateway_account", "payment_request_id"], unique: true, where: "payment_request_id IS NOT NULL" },
    { on: ["payment_request_id"] },
    { on: ["session_id"], unique: true },
    { on: ["paid_session_id"], unique: true, where: "paid_session_id IS NOT NULL" },
    { on: ["session_ids"], type: "GIN" },
    { on: ["cart_id"] },
    { on: ["order_id"] },
    { on: ["payment_collection_id"] },
    {
      // One payable link per collection, amount and payer, whichever instance creates it.
      name: "IDX_crypto_payment_request_one_open",
      on: ["payment_collection_id", "provider_id", "amount", "currency_code", "payer_digest"],
      unique: true,
      where: "state IN ('creating', 'open') AND deleted_at IS NULL",
    },
    { on: ["next_check_at"], where: "next_check_at IS NOT NULL" },
    // The admin's list and settlements. Those with expressions or operator classes are in the migration.
    { on: ["created_at", "id"] },
    { on: ["attention_since"], where: "attention_reason IS NOT NULL" },
    { on: ["state", "created_at"] },
    { on: ["paid_at"], where: "paid_at IS NOT NULL" },
  ])

export type CryptoPaymentRequestRow = Omit<InferTypeOf<typeof CryptoPaymentRequest>, "session_ids"> & {
  session_ids: string[]
}
