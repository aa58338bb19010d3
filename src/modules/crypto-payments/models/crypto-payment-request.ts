import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"
import { READ_FAILURES } from "../../../decision/read-failure"

/**
 * The states of a payment request. Which state follows which, and why: `payment-requests/life-cycle.ts`.
 *
 * - `creating`: the create call is running, or the process died during it. Then its outcome is unknown.
 * - `open`: the payer has the link.
 * - `superseded`: the payment session of the link is gone. The link can still be paid, so the row is still checked.
 * - `closed`: the link is not offered again: nobody waits for it, the gateway does not know it, or its creation
 *   failed. A notification, a payer's return or the gateway's list makes the row due again.
 * - `paid`: the gateway reported PAID. Medusa has not captured it.
 * - `captured`: Medusa has captured it. `settled_at` is set when nothing is left to do.
 * - `refunded`: everything that was received is registered as refunded.
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

/** An event that has to be sent: written together with its outcome, removed once it was sent. */
export interface PendingAnnouncement {
  event: "settled" | "attention_required" | "awaiting_payment"
  /** The same for every repeat, so that a subscriber can ignore repeats. */
  event_id: string
  reason?: string
}

/**
 * One row per payment request: whose it is, what must be paid, and what the gateway last said of it.
 *
 * Amounts are decimal strings in major units. Requested amounts are in `currency_code`; received amounts, fees and net
 * in `gateway_currency_symbol`. Times are the database's. No payer data is stored except a keyed digest.
 */
export const CryptoPaymentRequest = model
  .define("crypto_payment_request", {
    id: model.id({ prefix: "cpreq" }).primaryKey(),
    /** `pp_crypto_<id>`. */
    provider_id: model.text(),
    /**
     * The address where the request was made, and the only one where it is read. It changes when the merchant says that
     * the account has moved to another address.
     */
    gateway_origin: model.text(),
    /** The gateway's id. Null while the create call is running or its outcome is unknown. */
    payment_request_id: model.text().nullable(),
    /** Null when the link was never offered. */
    payment_link: model.text().nullable(),

    /** The payment session of the link. No other row has it. `stray:…` for a request without a session. */
    session_id: model.text(),
    /** Every session the link was ever bound to, and its note's. Former ones may only read the status. */
    session_ids: model.array(),
    /** The session that this request pays. Set before core is told `captured`. No other row has it. */
    paid_session_id: model.text().nullable(),
    /** Null only for a paid request whose session is not known. */
    payment_collection_id: model.text().nullable(),
    /** The cart the request was created for. Null for an order's own payment collection. */
    cart_id: model.text().nullable(),
    /** The order that the last settle found. */
    order_id: model.text().nullable(),
    /** How long its cart's order may stay unpaid, as the settings said when it was placed. Null without a limit. */
    unpaid_ttl_minutes: model.number().nullable(),

    /** When its payer is to be reminded, if it is still unpaid then. Null for never, and once that was announced. */
    remind_at: model.dateTime().nullable(),

    /** The requested amount, two decimals. For a request that was found only at the gateway, exactly the gateway's. */
    amount: model.text(),
    /** Lower case, as Medusa's: of the requested amount. */
    currency_code: model.text(),
    /** Keyed digest of the payer's e-mail address. Null when open links are not reused. */
    payer_digest: model.text().nullable(),
    /** `REQUEST_STATES` says what each means. */
    state: model.enum([...REQUEST_STATES]).default("creating"),

    /** The gateway's status word as received. */
    gateway_status: model.text().nullable(),
    /**
     * Since when each read has given that word, or a word that the interface does not have. Anew when the word changes
     * after an admin user has closed its case.
     */
    status_since: model.dateTime().nullable(),
    /** Amount of the gateway's record. Null until a read was answered. With the status and the currency it decides. */
    gateway_amount: model.text().nullable(),
    /** Currency of the gateway's record, as received. */
    gateway_currency_symbol: model.text().nullable(),
    /**
     * What has arrived so far, if that is above zero. The gateway does not say in which unit, so the amount is never
     * compared or summed: not null means that a part has arrived, while the request is not paid.
     */
    paid_amount: model.text().nullable(),
    // Display data of the gateway's record. Nothing is decided by it.
    /** The coin that was paid with. */
    payment_currency: model.text().nullable(),
    /** How much of the coin was paid. */
    payment_amount: model.text().nullable(),
    /** What the merchant receives, after the gateway's fee. */
    receiving_amount: model.text().nullable(),
    /** The gateway's fee. */
    fee_amount: model.text().nullable(),
    /** `BUYER` when the payer paid the fee on top. */
    fee_paid_by: model.text().nullable(),
    /** The gateway's reference, which payers and its support know. */
    ref_id: model.text().nullable(),

    /** When a read of the gateway first said PAID. Nothing the gateway says later changes it. */
    paid_at: model.dateTime().nullable(),
    /** When a settle first saw Medusa's capture. */
    captured_at: model.dateTime().nullable(),
    /** When the last settle found nothing left to do. Null again when a sweep finds something. */
    settled_at: model.dateTime().nullable(),
    /** When the first refund was registered. From then on the money pays for nothing new. */
    refund_registered_at: model.dateTime().nullable(),

    /** Why the request is in the attention list. Null without a case. */
    attention_reason: model.text().nullable(),
    /** When the case was opened. */
    attention_since: model.dateTime().nullable(),
    /** When an admin user closed the case. */
    attention_resolved_at: model.dateTime().nullable(),
    /** What the admin user wrote when they closed it. */
    attention_note: model.text().nullable(),
    /** How much an order still owes, or how much was captured too much, as of the last settle. Null for other cases. */
    attention_amount: model.text().nullable(),
    /** What had been paid for the order without links at the last settle. When it grows, the row becomes due. */
    other_payments: model.text().nullable(),

    /** How the last read failed. Null when it succeeded. */
    failure: model.enum([...READ_FAILURES]).nullable(),
    /** Since when every read has failed in the same way as the last one. */
    failing_since: model.dateTime().nullable(),
    /** Since when no read has succeeded, however each failed. */
    unread_since: model.dateTime().nullable(),
    /** When the gateway was last asked, whether or not it answered. */
    last_checked_at: model.dateTime().nullable(),
    /** When the last genuine notification arrived. */
    last_webhook_at: model.dateTime().nullable(),
    /** The same, until one or the gateway's list reports PAID: from then on, when that was first reported. */
    notified_at: model.dateTime().nullable(),
    /** Whether either reported PAID. It decides nothing, but the read is repeated soon. */
    is_reported_paid: model.boolean().default(false),
    /** Whether the gateway's list did: it repeats itself every night, which is no news. */
    is_listed_paid: model.boolean().default(false),
    /** When an admin user last closed a case of its gateway while it was unpaid: what was reported before was no payment. */
    denied_at: model.dateTime().nullable(),
    /** When the row is due. Null while nothing is to be done. */
    next_check_at: model.dateTime().nullable(),
    /** From when somebody wants a check. If a settle is running by then, its end makes the row due again. */
    check_requested_at: model.dateTime().nullable(),
    /** Who asked for the check that is due, or for the one that it follows within a minute. Null for the schedule. */
    check_trigger: model.text().nullable(),

    /** When core was last asked to complete the cart. If the process died, an order without its cart may be left. */
    completion_began_at: model.dateTime().nullable(),

    /** The settle that holds the row. Every write of that settle requires it, so a late write changes nothing. */
    lease_id: model.text().nullable(),
    /** When any other settle may take the row. A settle that runs puts it off. */
    lease_until: model.dateTime().nullable(),
    /** How many settles have begun since the last one ended. */
    settles_begun: model.number().default(0),

    /** Events that may not have been sent. */
    announcements: model.json().nullable(),
    /** When the sweep sends them, if the process that wrote them has not done so. */
    announce_at: model.dateTime().nullable(),
    /** When our subscriber received `order.placed` of the cart's order. */
    order_announced_at: model.dateTime().nullable(),
    /** When a sweep last sent `order.placed` because our subscriber had not received it. */
    order_placed_sent_at: model.dateTime().nullable(),
    /**
     * When the merchant last asked for a link of the order, or set another price of it. The time of an unpaid order
     * begins again with it.
     */
    offered_by_merchant_at: model.dateTime().nullable(),
  })
  .indexes([
    {
      // One row of one gateway payment. Another account, which has another address, may give the same ids.
      name: "IDX_crypto_payment_request_one_payment",
      on: ["provider_id", "gateway_origin", "payment_request_id"],
      unique: true,
      where: "payment_request_id IS NOT NULL AND deleted_at IS NULL",
    },
    { on: ["payment_request_id"] },
    { on: ["session_id"] },
    {
      // Only one row can pay for a session. A closed row that turns out to be paid gets another one: `recordReading`.
      name: "IDX_crypto_payment_request_one_live",
      on: ["session_id"],
      unique: true,
      where: "state <> 'closed' AND session_id = ANY (session_ids) AND deleted_at IS NULL",
    },
    { on: ["paid_session_id"], unique: true, where: "paid_session_id IS NOT NULL" },
    { on: ["session_ids"], type: "GIN" },
    { on: ["cart_id"] },
    { on: ["order_id"] },
    { on: ["ref_id"] },
    { on: ["payment_collection_id"] },
    {
      // One payable link per collection, amount and payer, whichever instance creates it.
      name: "IDX_crypto_payment_request_one_open",
      on: ["payment_collection_id", "provider_id", "amount", "currency_code", "payer_digest"],
      unique: true,
      where: "state IN ('creating', 'open') AND deleted_at IS NULL",
    },
    { on: ["next_check_at"], where: "next_check_at IS NOT NULL" },
    {
      name: "IDX_crypto_payment_request_check_asked",
      on: ["next_check_at"],
      where: "check_trigger IS NOT NULL AND next_check_at IS NOT NULL AND deleted_at IS NULL",
    },
    { on: ["announce_at"], where: "announce_at IS NOT NULL" },
    // For the sweeps.
    {
      name: "IDX_crypto_payment_request_settled_on_order",
      on: ["settled_at", "id"],
      where:
        "state = 'captured' AND settled_at IS NOT NULL AND order_id IS NOT NULL AND attention_reason IS DISTINCT FROM 'paid_without_order' AND next_check_at IS NULL AND deleted_at IS NULL",
    },
    {
      name: "IDX_crypto_payment_request_order_unannounced",
      on: ["settled_at"],
      where:
        "order_announced_at IS NULL AND cart_id IS NOT NULL AND (state = 'captured' OR state = 'refunded' AND order_id IS NOT NULL) AND deleted_at IS NULL",
    },
    {
      name: "IDX_crypto_payment_request_unfinished",
      on: ["id"],
      where:
        "next_check_at IS NULL AND settled_at IS NULL AND paid_at IS NOT NULL AND state IN ('paid', 'captured') AND deleted_at IS NULL",
    },
    // For the admin's list and settlements. The migration adds what a model cannot express.
    { on: ["created_at", "id"] },
    { on: ["attention_since"], where: "attention_reason IS NOT NULL" },
    { on: ["state", "created_at"] },
    { on: ["paid_at"], where: "paid_at IS NOT NULL" },
    { on: ["provider_id"] },
    { on: ["payment_currency", "created_at"] },
  ])

export type CryptoPaymentRequestRow = Omit<
  InferTypeOf<typeof CryptoPaymentRequest>,
  "session_ids" | "announcements"
> & {
  session_ids: string[]
  announcements: PendingAnnouncement[] | null
}
