import { UNPAID_WORD, type PaymentStatus } from "../gateway"
import { WATCH_WINDOW_MS } from "./retry-ladder"
import type { DecisionInput, GatewayReading } from "./decide"
import type { ReadFailure } from "./read-failure"
import { isLinkAsked, type LinkRenewalFacts } from "./link-renewal"
import { isMoreThan } from "./money"
import { orderExpiresAt, type OrderTime } from "./order-expiry"

/** The columns of a ledger row that a decision uses. */
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

/** What Medusa has for one payment request, of which a decision is made. Amounts are decimal strings in major units. */
export interface DecidedFacts extends OrderTime, LinkRenewalFacts {
  /** The database's time of this read, by which everything is dated. */
  database_now: Date
  session_amount: string | null
  session_currency_code: string | null
  /** When the link was last offered: each time the payment step opens again it gets a new session. */
  session_created_at: Date | null
  /** What the request's payment collection asks for. */
  collection_amount: string | null
  /** What was captured in that collection, by whichever provider. */
  collection_captured: string
  /** A payment of that collection is authorized and not captured yet. */
  collection_has_open_payment: boolean
  /** Of the order's payment collections, one that nothing was paid in still asks for money. */
  rest_is_asked_for: boolean
  cart_id: string | null
  payment_id: string | null
  payment_captured: string
  /** The sum of core's refunds of the payment that a registration led to. */
  payment_refunded: string
  /** Registered as sent back at the gateway, whether or not Medusa's books have it yet. */
  registered_refund: string
  /** The order that was placed: of a row with a cart, only one that is linked to the cart. */
  order_id: string | null
  order_canceled: boolean
  /** Somebody has deleted the order. Core itself removes the row of an order that it takes back from a cart. */
  order_deleted: boolean
  /**
   * The order has its cart, or the collection of a request without a cart, and the bookings of our capture on it add up
   * to what was captured and are in its sums. Core links an order to its cart before it books, and may still take it back.
   */
  order_booked: boolean
  /** When core captured; null without a capture. */
  first_captured_at: Date | null
  /** What core has booked of the capture on the order. More than was captured is a capture that was booked twice. */
  order_booked_amount: string
  /** Exactly that is missing in what core keeps as the sums of the order, which are what the admin shows. */
  order_sums_lack_it: boolean
  /**
   * What the order owes, as core calls it: `payment-requests/order-balance.ts`. Below zero when more was paid than it
   * costs; null while there is no order.
   */
  order_unpaid: string | null
  /** Without the payment of this request the order owes nothing, and something was paid for it. */
  paid_by_another: boolean
  /** medusa-config does not register the row's provider. */
  provider_missing: boolean
  /** What was ever paid for the order otherwise than by a payment link, whether or not it was sent back. */
  other_payments: string
  /** More of that came after the row was settled, and no later settled payment of the order has to judge it. */
  is_paid_again: boolean
  /** The provider of the payment that has paid it instead, if it is one. */
  paid_by_provider: string | null
  /**
   * The unpaid collection of its cart or order that asks for exactly this money, which no session waits for and nobody
   * has dealt with. Null when there is none, or when another payment is about to pay that collection.
   */
  adopting_collection_id: string | null
  /** The collection was deleted, or taken off the order. A link of it was given out and can be paid. */
  is_collection_deleted: boolean
  /** The money has no session because its collection was deleted, and the order owes it: another one may ask for it. */
  needs_collection: boolean
  /**
   * What a link of the request's collection may ask for now: all that the order owes, or the deposit that the collection
   * is for. Null without an order.
   */
  link_amount: string | null
  /** What keeps core from cancelling the order: `fulfillment`, or the type of its open change. */
  order_obstacle: string | null
  /** The order's newest link that the gateway shows. */
  is_newest_link: boolean
}

/**
 * Gathers what `decide` takes from the ledger row as the check left it and from Medusa's facts.
 *
 * @param unpaidOrderTtlMs how long an order may stay unpaid; null without a limit
 */
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
      // A genuine notification that says PAID weighs more than a 404: a wrong address answers 404 as well.
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
 * The words by which a gateway says that an attempt to pay is over without a payment. The interface has none of them.
 * REFUNDED is one: the payer has the money back, so another link makes nobody pay twice. In front may stand what has
 * ended, or who ended it, and behind it by whom. Any other word there may turn it round, as in NOT_EXPIRED and
 * REFUND_FAILED. SQL compares with the same expression, which has no `?` because knex takes that for a binding.
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
 * What the gateway last said of a row. A recorded PAID is never downgraded. A word of the gateway's own, as CONFIRMING
 * would be, may mean that the payer is paying: it counts as PENDING, and never as paid.
 *
 * @returns UNKNOWN for an end, for a row that was never read, and for PAID without a record of it
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

/** Whether a read said that the attempt to pay is over: the link is not offered again, and it is watched. */
export function isEndWord({
  paid_at,
  gateway_status,
  last_checked_at,
}: Pick<DecidedRow, "paid_at" | "gateway_status"> & { last_checked_at: Date | null }): boolean {
  // The answer to the creation is no read.
  return paid_at === null && last_checked_at !== null && END_WORDS.test(gateway_status ?? "")
}
