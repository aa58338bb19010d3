import { mayAlign } from "./alignment"
import { LEFT_TO_PERSON } from "./attention"
import { decide, type Decision } from "./decide"
import { toDecisionInput, type DecidedFacts, type DecidedRow } from "./decision-input"
import { mayRenew } from "./link-renewal"
import { amountsEqual, isMoreThan } from "./money"
import { orderExpiresAt } from "./order-expiry"
import { toOutcome, type Outcome } from "./outcome"
import type { ReadFailure } from "./read-failure"
import { quickCheckAt } from "./retry-ladder"

/**
 * What a settle does in Medusa, one thing a turn.
 *
 * - `adopt`: gives the money a session of the unpaid collection that asks for it
 * - `capture`: core captures the session and places the order, or places the order of what is captured already
 * - `book`: finishes the order that core was interrupted over: its links, and one booking of the captured amount
 * - `verify`: reads again under the lock that core completes a cart under
 * - `expire`: cancels the unpaid order whose time is over
 * - `renew`: replaces the link by one of what the order owes now
 * - `align`: lets the paid collection ask for what was captured in it, and another one for what the order still owes
 */
export type Act = "adopt" | "capture" | "book" | "verify" | "expire" | "renew" | "align"

/** What this settle has done so far. */
export interface Progress {
  isAdopted: boolean
  captures: number
  /** Core hangs, or a lock was in the way: a second try at once would not help. */
  isCaptureOver: boolean
  /** Whether the order could be finished; undefined before `book`. */
  booked?: "free" | "in_use"
  /** Whether the cart became free; undefined before `verify`. */
  verified?: "free" | "in_use"
  isExpired: boolean
  /** Something keeps core from cancelling the unpaid order, and waiting a moment would not help. */
  isExpiryRefused: boolean
  isRenewed: boolean
  isAligned: boolean
}

export const NOTHING_DONE: Progress = {
  isAdopted: false,
  captures: 0,
  isCaptureOver: false,
  isExpired: false,
  isExpiryRefused: false,
  isRenewed: false,
  isAligned: false,
}

export interface TurnInput {
  row: DecidedRow
  failure: ReadFailure | null
  facts: DecidedFacts
  unpaidOrderTtlMs: number | null
  /** An admin user asked for it. */
  isAskedByPerson: boolean
  done: Progress
}

export interface Turn {
  decision: Decision
  /** What to do next, after which everything is read and decided again; null when the settle ends. */
  act: Act | null
  /** What is written if it ends now. */
  outcome: Outcome
}

/** Core's lock on a cart lasts this long at most: a capture that is not booked by then never will be. */
const CORE_LOCK_MS = 2 * 60_000
/** How long an order may fail to be cancelled before a case is opened: an edit may be in progress. */
const EXPIRY_PATIENCE_MS = 10 * 60_000
/** Core skips a cart that another completion has begun and then undoes: a second attempt finds it free. */
const MOST_CAPTURES = 2

/** One turn of a settle: what is, what to do about it, and what to write down. Pure. */
export function decideTurn(input: TurnInput): Turn {
  const { row, failure, facts, unpaidOrderTtlMs } = input
  const now = facts.database_now
  if (row.state === "refunded") {
    // Everything was sent back: nothing follows, whatever the gateway's record or Medusa says.
    const { order_id: orderId, captured_at: capturedAt, settled_at: settledAt } = row
    return {
      decision: { kind: "refunded" },
      act: null,
      outcome: { orderId, capturedAt, settledAt, nextCheckAt: null },
    }
  }
  const decision = afterActs(decide(toDecisionInput(row, failure, facts, now, unpaidOrderTtlMs)), input)
  return {
    decision,
    act: nextAct(decision, input),
    outcome: toOutcome(decision, row, facts, { now, unpaidOrderTtlMs }),
  }
}

/** What was done and did not help changes the decision. */
function afterActs(decision: Decision, input: TurnInput): Decision {
  const { done } = input
  if (decision.kind === "expire" && isExpiryStuck(input)) {
    return { kind: "attention", reason: "order_not_canceled" }
  }
  if (decision.kind === "capture" && done.isAdopted) {
    // The row is bound to another session now, and this settle has it as it was: the next one captures.
    return { kind: "adopt" }
  }
  if (decision.kind === "done" && done.verified === "in_use") {
    return { kind: "confirm" }
  }
  return decision
}

/** One case an order, however many links it has: the newest one's. */
function isExpiryStuck({ facts, done, unpaidOrderTtlMs }: TurnInput): boolean {
  const expiresAtMs = orderExpiresAt(facts, unpaidOrderTtlMs)?.getTime() ?? Infinity
  const overdueMs = facts.database_now.getTime() - expiresAtMs
  return done.isExpiryRefused && facts.is_newest_link && overdueMs >= EXPIRY_PATIENCE_MS
}

function nextAct(decision: Decision, input: TurnInput): Act | null {
  const { row, facts, done } = input
  if (decision.kind === "adopt") {
    return done.isAdopted ? null : "adopt"
  }
  if (isCoresTurn(decision) && !isLeftToPerson(input)) {
    const mayCapture = done.captures < MOST_CAPTURES && !done.isCaptureOver && done.booked === undefined
    return mayCapture ? "capture" : null
  }
  if (decision.kind === "confirm" && done.booked === undefined && mayBook(row, facts, done)) {
    return "book"
  }
  // Core books the capture, runs the merchant's hooks, and takes the order back when one fails: until it lets the cart
  // go.
  if (decision.kind === "done" && facts.cart_id !== null && done.verified === undefined) {
    return "verify"
  }
  if (decision.kind === "renew") {
    // The link may have been paid a moment ago: its payer is not given another one before that is known.
    const isPaymentExpected = quickCheckAt(row, facts.database_now) !== null
    const mayTry = !isPaymentExpected && (input.isAskedByPerson || mayRenew(facts))
    return !done.isRenewed && mayTry ? "renew" : null
  }
  if (decision.kind === "done" && !done.isAligned && mayAlign(row, decision.attention, facts)) {
    return "align"
  }
  return decision.kind === "expire" && !done.isExpired ? "expire" : null
}

function isCoresTurn(decision: Decision): boolean {
  return (
    decision.kind === "capture" || (decision.kind === "attention" && decision.reason === "paid_without_order")
  )
}

/**
 * Whether the order is placed only on request: an admin user has closed the case of the payment, and may have sent the
 * money back or shipped by hand; or the order was placed once and is gone.
 */
function isLeftToPerson({ row, isAskedByPerson }: TurnInput): boolean {
  const isClosedByPerson = LEFT_TO_PERSON.includes(row.attention_reason) && row.attention_resolved_at !== null
  return (isClosedByPerson || row.settled_at !== null) && !isAskedByPerson
}

/** Another sum is always wrong, whoever booked it and however long ago, so there is no waiting. */
function mayBook(row: DecidedRow, facts: DecidedFacts, done: Progress): boolean {
  return isBookedWrongly(facts) || (done.verified === undefined && isCaptureInterrupted(row, facts))
}

/**
 * Whether the order's bookings of the capture add up to another sum than was captured, as when it is booked twice, or
 * are not in the order's sums.
 */
export function isBookedWrongly({
  order_booked_amount,
  order_sums_lack_it,
  payment_captured,
}: DecidedFacts): boolean {
  const isOtherSum =
    isMoreThan(order_booked_amount, "0") && !amountsEqual(order_booked_amount, payment_captured)
  return isOtherSum || order_sums_lack_it
}

/**
 * Whether core captured so long ago that it cannot be about to book the capture. A server whose clock is ahead dates its
 * capture later than it was: then the time counts from when a settle first saw it.
 */
export function isCaptureInterrupted(
  { captured_at }: Pick<DecidedRow, "captured_at">,
  { first_captured_at, database_now, payment_captured }: DecidedFacts
): boolean {
  const capturedAtMs = Math.min(captured_at?.getTime() ?? Infinity, first_captured_at?.getTime() ?? Infinity)
  return isMoreThan(payment_captured, "0") && database_now.getTime() - capturedAtMs >= CORE_LOCK_MS
}
