import type { PaymentStatus } from "../gateway"
import { WATCH_WINDOW_MS } from "./retry-ladder"
import type { DecisionInput, GatewayReading } from "./decide"
import { isMoreThan } from "./money"

/** The columns of a ledger row that a decision looks at. */
export interface DecidedRow {
  amount: string
  currency_code: string
  created_at: Date
  paid_at: Date | null
  gateway_status: string | null
  gateway_amount: string | null
  gateway_currency_symbol: string | null
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

/** What one statement over core's tables gives for a row. */
export interface DecidedFacts {
  /** The database's time, by which everything is dated. */
  database_now: Date
  session_amount: string | null
  session_currency_code: string | null
  session_created_at: Date | null
  /** What the payment collection asks for, and what was captured in it. */
  collection_amount: string | null
  collection_captured: string
  collection_has_open_payment: boolean
  rest_is_asked_for: boolean
  cart_id: string | null
  payment_id: string | null
  payment_captured: string
  payment_refunded: string
  registered_refund: string
  order_id: string | null
  order_canceled: boolean
  /** The order that is linked to it, or that a row without a cart was made for, was deleted. */
  order_deleted: boolean
  /** The order has its cart, and what is booked of the capture on it is what was captured. */
  order_booked: boolean
  /** The sum of the bookings of the capture on the order. */
  order_booked_amount: string
  order_unpaid: string | null
  paid_by_another: boolean
  /** medusa-config does not register the row's provider. */
  provider_missing: boolean
  paid_by_provider: string | null
  /** The unpaid collection of its cart or order that asks for exactly this money; null when there is none. */
  adopting_collection_id: string | null
  /** What a link of the collection may ask for now; null while there is no order. */
  link_amount: string | null
  order_expires_from: Date | null
  order_obstacle: string | null
  is_newest_link: boolean
  /** When core captured; null without a capture. */
  first_captured_at: Date | null
}

/**
 * Gathers what `decide` takes from the ledger row as the check left it and from Medusa's facts.
 *
 * @param unpaidOrderTtlMs how long an order may stay unpaid; null without a limit
 */
export function toDecisionInput(
  row: DecidedRow,
  failure: "refused" | "unreadable" | null,
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
      isSettled: row.settled_at !== null,
      attention: row.attention_reason,
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
              expiresAt:
                unpaidOrderTtlMs === null || facts.order_expires_from === null
                  ? null
                  : new Date(facts.order_expires_from.getTime() + unpaidOrderTtlMs),
            },
      registeredRefund: facts.registered_refund,
      orderDeleted: facts.order_deleted,
      hasCart: facts.cart_id !== null,
      paidByAnother: facts.paid_by_another,
      providerMissing: facts.provider_missing,
      isAdoptable: facts.adopting_collection_id !== null,
    },
    now,
  }
}

function toReading(row: DecidedRow, failure: "refused" | "unreadable" | null, now: Date): GatewayReading {
  if (failure !== null) {
    const failingSince = row.failing_since ?? now
    return {
      outcome: failure,
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

/** What the gateway last said of a row. A recorded PAID is never downgraded; a word we do not know waits. */
export function recordedStatus(row: Pick<DecidedRow, "paid_at" | "gateway_status">): PaymentStatus {
  if (row.paid_at !== null) {
    return "PAID"
  }
  return row.gateway_status === "UNPAID" || row.gateway_status === "PENDING" ? row.gateway_status : "UNKNOWN"
}

/**
 * Whether a read gave a word for the status that we do not know, as EXPIRED or DECLINED would be. It never means paid.
 * It may mean that the payment ended, so the link is not offered again, and it is watched.
 */
export function isUnknownWord({
  paid_at,
  gateway_status,
  last_checked_at,
}: Pick<DecidedRow, "paid_at" | "gateway_status"> & { last_checked_at: Date | null }): boolean {
  // The answer to the creation is no read.
  return (
    gateway_status !== null &&
    last_checked_at !== null &&
    recordedStatus({ paid_at, gateway_status }) === "UNKNOWN"
  )
}
