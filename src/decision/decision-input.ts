import { UNPAID_WORD, type PaymentStatus } from "../gateway"
import { WATCH_WINDOW_MS } from "./retry-ladder"
import type { DecisionInput, GatewayReading } from "./decide"
import type { ReadFailure } from "./read-failure"
import { isLinkAsked, type LinkRenewalFacts } from "./link-renewal"
import { isMoreThan } from "./money"
import { orderExpiresAt, type OrderTime } from "./order-expiry"

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
  is_reported_paid: boolean
  attention_reason: string | null
  attention_resolved_at: Date | null
}

/** What Medusa has for one payment request. Amounts are decimal strings in major units. */
export interface DecidedFacts extends OrderTime, LinkRenewalFacts {
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
  payment_id: string | null
  payment_captured: string
  /** The sum of core's refunds of the payment that a registration led to. */
  payment_refunded: string
  /** Sum of the registered refunds, booked in Medusa or not. */
  registered_refund: string
  /** The order that was placed. For a row with a cart, only an order that is linked to the cart. */
  order_id: string | null
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
  is_deposit: boolean
  /** What keeps core from cancelling the order: `fulfillment`, or the type of its open change. */
  order_obstacle: string | null
  /** The order's newest link that the gateway shows. */
  is_newest_link: boolean
}

/** @param unpaidOrderTtlMs how long an order may stay unpaid; null without a limit */
export function toDecisionInput(
  row: DecidedRow,
  failure: ReadFailure | null,
  facts: DecidedFacts,
  now: Date,
  unpaidOrderTtlMs: number | null = null
): DecisionInput {
  return {
    reading: toReading(row, failure, now),
    ledger: {
      amount: row.amount,
      currencyCode: row.currency_code,
      paidAt: row.paid_at,
      watchUntil: new Date(row.created_at.getTime() + WATCH_WINDOW_MS),
      isOffered: row.state === "open",
      isReportedPaid: row.is_reported_paid,
      isSettled: row.settled_at !== null,
      attention: row.attention_reason,
      isLinkAsked: isLinkAsked(facts),
      isOfOrder: row.order_id !== null,
    },
    medusa: {
      session:
        facts.session_amount === null || facts.session_currency_code === null
          ? null
          : { amount: facts.session_amount, currencyCode: facts.session_currency_code },
      payment:
        facts.payment_id === null
          ? null
          : {
              captured: isMoreThan(facts.payment_captured, "0"),
              refundedInFull: !isMoreThan(facts.payment_captured, facts.payment_refunded),
              coversCollection: !isMoreThan(facts.collection_amount ?? "0", facts.collection_captured),
            },
      order:
        facts.order_id === null
          ? null
          : {
              canceled: facts.order_canceled,
              booked: facts.order_booked,
              unpaidDifference: facts.order_unpaid ?? "0",
              linkAmount: facts.link_amount ?? "0",
              expiresAt: orderExpiresAt(facts, unpaidOrderTtlMs),
            },
      registeredRefund: facts.registered_refund,
      orderDeleted: facts.order_deleted,
      hasCart: facts.cart_id !== null,
      isDeposit: facts.is_deposit,
      paidByAnother: facts.paid_by_another,
      paidAgain: facts.is_paid_again,
      providerMissing: facts.provider_missing,
      isAdoptable: facts.adopting_collection_id !== null || facts.needs_collection,
      isCollectionDeleted: facts.is_collection_deleted,
    },
    now,
  }
}

function toReading(row: DecidedRow, failure: ReadFailure | null, now: Date): GatewayReading {
  if (failure !== null) {
    const failingSince = row.failing_since ?? now
    return {
      // A genuine notification that says PAID counts more than a 404: a wrong address answers 404 as well.
      outcome: failure === "unknown_to_gateway" && row.is_reported_paid ? "refused" : failure,
      failingSince,
      ...(row.unread_since === null ? {} : { unreadSince: row.unread_since }),
    }
  }
  return {
    outcome: "read",
    status: recordedStatus(row),
    amount: row.gateway_amount ?? row.amount,
    currencySymbol: row.gateway_currency_symbol ?? row.currency_code,
  }
}

/**
 * Words that say that an attempt to pay has ended without a payment. The interface lists none of them. REFUNDED is one:
 * the payer has the money back, so a second link makes nobody pay twice. A prefix may say what ended or who ended it, a
 * suffix by whom. Any other word there may reverse the meaning, as in NOT_EXPIRED and REFUND_FAILED. SQL compares with
 * the same expression. It has no `?`, because knex takes that for a binding.
 */
export const END_WORDS = new RegExp(
  [
    "^[ \\t\\r\\n]*",
    "((PAYMENT|TRANSACTION|INVOICE|ORDER|LINK|SESSION|CHECKOUT|USER|PAYER|CUSTOMER|MERCHANT)[ _-]{0,1}",
    "((REQUEST|LINK|SESSION)[ _-]{0,1}){0,1}){0,1}",
    "((EXPIRE|DECLINE)D{0,1}|(CANCELL{0,1}|FAIL|REJECT|VOID|ABORT|ABANDON)(ED){0,1}",
    "|FAILURE|DENIED|TIMED{0,1}[ _-]{0,1}OUT|REFUNDED)",
    "([ _-]BY[ _-](THE[ _-]){0,1}(USER|PAYER|CUSTOMER|BUYER|MERCHANT|SHOP|SYSTEM|BANK)){0,1}",
    "[ \\t\\r\\n]*$",
  ].join(""),
  "i"
)

/**
 * What the gateway last said of a row. A recorded PAID is never downgraded. Any word that the interface does not list,
 * such as CONFIRMING, may mean that the payer is paying: it counts as PENDING, never as paid.
 *
 * @returns UNKNOWN for an end word, for a row that was never read, and for PAID without a record of it
 */
export function recordedStatus({
  paid_at,
  gateway_status: word,
}: Pick<DecidedRow, "paid_at" | "gateway_status">): PaymentStatus {
  if (paid_at !== null) {
    return "PAID"
  }
  if (word === null || word === "PAID" || END_WORDS.test(word)) {
    return "UNKNOWN"
  }
  return UNPAID_WORD.test(word) ? "UNPAID" : "PENDING"
}

/** Whether a read said that the attempt to pay has ended: the link is not offered again, and it is still checked. */
export function isEndWord({
  paid_at,
  gateway_status,
  last_checked_at,
}: Pick<DecidedRow, "paid_at" | "gateway_status"> & { last_checked_at: Date | null }): boolean {
  // The answer to the creation is not a read.
  return paid_at === null && last_checked_at !== null && END_WORDS.test(gateway_status ?? "")
}
