import type { AttentionReason } from "./attention"
import type { DecidedFacts, DecidedRow } from "./facts"
import {
  hasPart,
  hasUnknownWord,
  isReported,
  mayHaveMoney,
  recordedStatus,
  REFUSED_PATIENCE_MS,
} from "./gateway-status"
import { amountsEqual, isMoreThan } from "./money"
import { PAYING_GRACE_MS } from "./order-expiry"
import type { ReadFailure } from "./read-failure"
import { HOUR_MS, WATCH_WINDOW_MS } from "./retry-ladder"

const UNREADABLE_PATIENCE_MS = 24 * HOUR_MS
/** During a deploy, one instance may know a provider and another may not. */
const DEPLOY_PATIENCE_MS = 10 * 60_000

export interface DecisionInput {
  /** As the last read left it. PAID counts from when it was recorded, whatever the gateway says later. */
  row: DecidedRow
  facts: DecidedFacts
}

export type Decision =
  | { kind: "wait" }
  | { kind: "close" }
  /** The order was paid another way or is gone: not offered any more, and still checked. */
  | { kind: "withdraw" }
  /** The order was placed unpaid and its time is over: cancel it, so that its stock is free. */
  | { kind: "expire" }
  /** The session of the money is gone, and its cart or order waits for that amount: bind it to a new session. */
  | { kind: "adopt" }
  | { kind: "capture" }
  | { kind: "confirm" }
  | { kind: "done"; attention?: "order_underpaid" | "order_overpaid" | "duplicate_payment" }
  | { kind: "refunded" }
  | { kind: "attention"; reason: AttentionReason }
  | { kind: "retry" }

/**
 * Decides what a payment request becomes. Pure. The table in docs/architecture.md lists the same rules, and
 * `src/decision-table.unit.spec.ts` compares them.
 */
export function decide(input: DecisionInput): Decision {
  const { row } = input
  if (row.state === "refunded") {
    // Everything was sent back: nothing follows, whatever the gateway or Medusa says.
    return { kind: "refunded" }
  }
  if (row.paid_at === null) {
    return row.failure === null ? decideUnpaid(input) : decideWithoutAnswer(row.failure, input)
  }
  return isRequestedReceived(input) ? decidePaid(input) : { kind: "attention", reason: "amount_mismatch" }
}

function decideWithoutAnswer(failure: ReadFailure, input: DecisionInput): Decision {
  const { row, facts } = input
  const failingForMs = ageMs(row.failing_since, facts)
  const isForAnHour = failingForMs >= REFUSED_PATIENCE_MS
  if (failure === "provider_missing") {
    // The gateway was not asked.
    return isForAnHour ? { kind: "attention", reason: "provider_missing" } : { kind: "retry" }
  }
  if (failure === "former_address") {
    return decideOfFormerAddress(isForAnHour, input)
  }
  // A genuine notification that says PAID, or a part that has arrived, counts more than a 404: a wrong address answers
  // 404 as well. A word that may mean PAID counts as long as one that is still shown.
  const isUnknown = failure === "unknown_to_gateway" && !isReported(row) && !hasPart(row)
  const graceMs = hasUnknownWord(row) ? PAYING_GRACE_MS : 0
  const isRefused = failure === "refused" || failure === "unknown_to_gateway"
  const isAbandoned = isUnknown && isForAnHour && facts.order_id === null && isOld(input)
  if (isRefused && !mayHaveMoney(row) && (isAbandoned || isForgotten(input))) {
    // A gateway may forget requests that nobody paid; no payment is expected for this one either.
    return { kind: "close" }
  }
  const isGone = isUnknown && isForAnHour
  if (isGone && isUnpaidOrder(facts) && isOrderOver(input, graceMs)) {
    // Nobody can pay the link, so the order's time ends as with an unpaid link.
    return { kind: "expire" }
  }
  if (isGone && facts.order_canceled && !mayHaveMoney(row)) {
    return { kind: "close" }
  }
  if (isRefused && isForAnHour) {
    return { kind: "attention", reason: "gateway_refuses" }
  }
  // Failures of changing kinds together mean a gateway that cannot be read, however short each kind lasts.
  const isUnread = Math.max(ageMs(row.unread_since, facts), failingForMs) >= UNREADABLE_PATIENCE_MS
  return isUnread ? { kind: "attention", reason: "gateway_unreadable" } : { kind: "retry" }
}

/**
 * A former address is never read. A link that is not closed waits for the merchant to say whose account it is. The
 * answer that it is another account has closed the link. What may be money is a case.
 */
function decideOfFormerAddress(isForAnHour: boolean, { row }: DecisionInput): Decision {
  const isClosed = row.state === "closed"
  if ((row.is_reported_paid || mayHaveMoney(row)) && (isForAnHour || isClosed)) {
    return { kind: "attention", reason: "gateway_unreadable" }
  }
  return { kind: isClosed ? "close" : "retry" }
}

function decideUnpaid(input: DecisionInput): Decision {
  const { row, facts } = input
  const status = recordedStatus(row)
  if (hasPart(row)) {
    // Nothing expires, closes or is withdrawn meanwhile.
    if (row.is_reported_paid && isUnclear(input)) {
      return { kind: "attention", reason: "gateway_unclear" }
    }
    return isPartLeft(input) ? { kind: "attention", reason: "partly_paid" } : { kind: "wait" }
  }
  // Only UNPAID expires at once. After any other word, or a report of PAID, the payer may be paying or have paid: a day
  // longer, and no more, because a report can be forged, and holds the stock.
  const graceMs = status === "UNPAID" && !row.is_reported_paid ? 0 : PAYING_GRACE_MS
  if (isUnpaidOrder(facts) && isOrderOver(input, graceMs)) {
    return { kind: "expire" }
  }
  if (isUnclear(input)) {
    return { kind: "attention", reason: "gateway_unclear" }
  }
  if (isForgotten(input) && !mayHaveMoney(row)) {
    return { kind: "close" }
  }
  if (isPaidAnotherWay(facts) || facts.order_canceled || isDeleted(facts)) {
    return { kind: "withdraw" }
  }
  return { kind: "wait" }
}

/**
 * Whether the part that has arrived is all for now. While the gateway confirms a payment, it may show a part at first.
 */
function isPartLeft({ row, facts }: DecisionInput): boolean {
  const isBeingConfirmed = recordedStatus(row) === "PENDING" && row.attention_reason !== "partly_paid"
  return !isBeingConfirmed || ageMs(row.status_since ?? row.created_at, facts) >= REFUSED_PATIENCE_MS
}

/**
 * Whether the gateway has said for an hour what cannot be right, and no admin user has dealt with it: a genuine
 * notification or its list says PAID and the reads deny it, or the word is not of the interface, as when it renames one.
 */
export function isUnclear({ row, facts }: DecisionInput): boolean {
  const since = [isReported(row) ? row.notified_at : null, hasUnknownWord(row) ? row.status_since : null]
  return since.some((date) => ageMs(date, facts) >= REFUSED_PATIENCE_MS)
}

/** The time in which the order may stay unpaid is over. */
function isOrderOver({ facts }: DecisionInput, graceMs = 0): boolean {
  return ageMs(facts.order_expires_at, facts) >= graceMs
}

/** Nobody expects a payment for the request, and the time in which most payers pay is over. */
function isForgotten(input: DecisionInput): boolean {
  const { facts } = input
  const isEnded = facts.order_canceled || isDeleted(facts) || isPaidAnotherWay(facts)
  const someoneWaits = !isEnded && (facts.session_amount !== null || isUnpaidOrder(facts))
  return !someoneWaits && isOld(input)
}

function isOld({ row, facts }: DecisionInput): boolean {
  return ageMs(row.created_at, facts) >= WATCH_WINDOW_MS
}

function isUnpaidOrder(facts: DecidedFacts): boolean {
  const isPayable = facts.order_id !== null && !facts.order_canceled && !facts.paid_by_another
  return isPayable && isMoreThan(facts.order_unpaid ?? "0", "0")
}

function isPaidAnotherWay({ order_id, order_canceled, paid_by_another }: DecidedFacts): boolean {
  return order_id !== null && !order_canceled && paid_by_another
}

function isRequestedReceived({ row, facts }: DecisionInput): boolean {
  const received = row.gateway_amount ?? row.amount
  const receivedIn = (row.gateway_currency_symbol ?? row.currency_code).toUpperCase()
  const isReceived = (requested: string | null, currency: string | null): boolean =>
    requested === null || (amountsEqual(received, requested) && receivedIn === currency?.toUpperCase())
  return (
    isReceived(row.amount, row.currency_code) && isReceived(facts.session_amount, facts.session_currency_code)
  )
}

function decidePaid(input: DecisionInput): Decision {
  const { row, facts } = input
  const { registered_refund, adopting_collection_id } = facts
  if (isMoreThan(facts.payment_captured, "0")) {
    return isMoreThan(facts.payment_captured, facts.payment_refunded)
      ? decideCaptured(input)
      : { kind: "refunded" }
  }
  const isSentBack = isMoreThan(registered_refund, "0")
  if (isSentBack && !isMoreThan(row.amount, registered_refund)) {
    return { kind: "refunded" }
  }
  if (facts.order_canceled || isDeleted(facts)) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (facts.paid_by_another || isStillDuplicate(input)) {
    return { kind: "attention", reason: "duplicate_payment" }
  }
  if (isSentBack) {
    // After a refund, even a partial one, an order for the whole amount must not be shipped.
    return { kind: "attention", reason: "orphan_paid" }
  }
  const isAsked = isAskedFor(input)
  if (facts.session_amount === null) {
    // Core has deleted the session, as it does when the cart changes.
    return isAsked && adopting_collection_id !== null
      ? { kind: "adopt" }
      : { kind: "attention", reason: "orphan_paid" }
  }
  if (!isAsked) {
    return { kind: "attention", reason: "amount_mismatch" }
  }
  if (facts.provider_missing) {
    return ageMs(row.paid_at, facts) >= DEPLOY_PATIENCE_MS
      ? { kind: "attention", reason: "provider_missing" }
      : { kind: "retry" }
  }
  return { kind: "capture" }
}

function isDeleted({ order_id, order_deleted }: DecidedFacts): boolean {
  return order_id === null && order_deleted
}

/**
 * Whether the payment is what its cart, order or collection asks for: a cart by amount and currency, an order by its
 * currency, because what it owes is judged after the capture. Core compares neither when it completes a cart.
 */
export function isAskedFor({ row, facts }: DecisionInput): boolean {
  const { asked_amount, asked_currency_code } = facts
  const isOfCurrency = asked_currency_code === null || asked_currency_code === row.currency_code
  return isOfCurrency && (asked_amount === null || amountsEqual(asked_amount, row.amount))
}

/** Another payment paid the order, and a part of that was sent back: the order does not owe all of this payment. */
function isStillDuplicate({ row, facts }: DecisionInput): boolean {
  return (
    row.attention_reason === "duplicate_payment" &&
    facts.order_id !== null &&
    isMoreThan(row.amount, facts.order_unpaid ?? "0")
  )
}

function decideCaptured(input: DecisionInput): Decision {
  const { row, facts } = input
  if (isDeleted(facts)) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (facts.order_id === null) {
    if (facts.cart_id === null && row.order_id === null) {
      return { kind: "done" }
    }
    // After a partial refund, nothing is shipped automatically.
    const isBeingRefunded = isMoreThan(facts.registered_refund, "0")
    const unplaced = isAskedFor(input) ? "paid_without_order" : "amount_mismatch"
    return { kind: "attention", reason: isBeingRefunded ? "orphan_paid" : unplaced }
  }
  if (facts.order_canceled) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (!isAskedFor(input)) {
    return { kind: "attention", reason: "amount_mismatch" }
  }
  if (!facts.order_booked) {
    // Core links the order before it is final, and takes the order back when a later step fails.
    return { kind: "confirm" }
  }
  const isJudged = row.settled_at !== null && !facts.is_paid_again
  if (facts.paid_by_another && (!isJudged || row.attention_reason === "duplicate_payment")) {
    // Our capture is booked, and another provider's payment covers the order as well: the payer paid twice.
    return { kind: "done", attention: "duplicate_payment" }
  }
  const attention = wrongSum(row, facts, isJudged)
  return attention === undefined ? { kind: "done" } : { kind: "done", attention }
}

/**
 * Whether the capture was too little or too much for its order. This is judged when the capture is settled; too much
 * also when another payment is received later. An order that changes later is no case: the merchant changed it, and
 * core shows what is owed or to be refunded. An open case stays until the order owes nothing, or until no surplus is
 * left: what is left of a duplicate is a surplus.
 *
 * A cart's payment is to pay all of its order. An order's own collection may ask for a part, as core's does for what an
 * exchange costs more: what it asks for is enough.
 */
function wrongSum(
  { attention_reason, attention_resolved_at, settled_at }: DecidedRow,
  { cart_id, order_unpaid, collection_amount, collection_captured }: DecidedFacts,
  isJudged: boolean
): "order_underpaid" | "order_overpaid" | undefined {
  const unpaid = order_unpaid ?? "0"
  if (isMoreThan(unpaid, "0")) {
    const isToPayMore = cart_id !== null || isMoreThan(collection_amount ?? "0", collection_captured)
    const isTooLittle = isToPayMore && settled_at === null
    return isTooLittle || attention_reason === "order_underpaid" ? "order_underpaid" : undefined
  }
  const isLeft = attention_reason === "duplicate_payment" && attention_resolved_at === null
  const isWatched = !isJudged || isLeft || attention_reason === "order_overpaid"
  return isWatched && isMoreThan("0", unpaid) ? "order_overpaid" : undefined
}

/** Age in milliseconds, by the database's clock; -Infinity without a date. */
function ageMs(since: Date | null, { database_now }: DecidedFacts): number {
  return since === null ? -Infinity : database_now.getTime() - since.getTime()
}
