import { isResolvedByAdmin } from "./attention"
import { decide, isAskedFor, isUnclear, type Decision, type DecisionInput } from "./decide"
import type { DecidedFacts, DecidedRow } from "./facts"
import { amountsEqual, isMoreThan } from "./money"
import { soonerOf, toOutcome, type Outcome } from "./outcome"

/**
 * What a settle does in Medusa, one act at a time.
 *
 * - `adopt`: binds the money to a new session of the unpaid collection that asks for it
 * - `capture`: core captures the session and places the order, or places the order of an earlier capture
 * - `book`: finishes an order that core left incomplete: its links, and one booking of the captured amount
 * - `verify`: reads again under the lock that core completes or changes a cart under
 * - `expire`: cancels the unpaid order whose time is over
 */
export type Act = "adopt" | "capture" | "book" | "verify" | "expire"

/**
 * How an act ended: `again` when it may be tried once more at once, `blocked` when something keeps core or the plugin
 * from it that does not pass in a moment.
 */
export type ActEnd = "done" | "again" | "blocked"
export type Progress = Partial<Record<Act, ActEnd>>

export interface TurnInput extends DecisionInput {
  isAskedByAdmin: boolean
  done: Progress
}

export interface Turn {
  /** After it, everything is read and decided again. Null when the settle ends. */
  act: Act | null
  /** What is written if the settle ends now. */
  outcome: Outcome
  /** The capture or the order still waits: core was not asked, because a lock was not free or core may be at it. */
  isBlocked: boolean
}

/** Core's lock on a cart lasts this long at most: a capture that is not booked by then never will be. */
const CORE_LOCK_MS = 2 * 60_000
/** Longer than Redis keeps a lock that core has left. A retry within a minute would count as just notified. */
const LEFT_LOCK_MS = 70_000
/** How long an order may fail to be cancelled before a case is opened: an edit may be in progress. */
const EXPIRY_PATIENCE_MS = 10 * 60_000

/** Decides one step of a settle: what to do next, and what to write. Pure. */
export function decideTurn(input: TurnInput): Turn {
  const { row } = input
  if (row.state === "refunded") {
    const { order_id: orderId, captured_at: capturedAt, settled_at: settledAt } = row
    return { act: null, outcome: { orderId, capturedAt, settledAt, nextCheckAt: null }, isBlocked: false }
  }
  const decision = afterActs(decide(input), input)
  const outcome = toOutcome(decision, input)
  const wasBlocked = input.done.capture === "blocked"
  const isCartBusy = decision.kind === "retry" && input.done.verify === "blocked"
  return {
    act: nextAct(decision, input),
    outcome: wasBlocked || isCartBusy ? soon(outcome, input) : outcome,
    isBlocked: wasBlocked && isCoresTurn(decision),
  }
}

/** Core was not asked, for a reason that passes, and the next step of the ladder may be an hour away. */
function soon(outcome: Outcome, { facts }: TurnInput): Outcome {
  const { nextCheckAt } = outcome
  const freeAt = new Date(facts.database_now.getTime() + LEFT_LOCK_MS)
  return nextCheckAt === null ? outcome : { ...outcome, nextCheckAt: soonerOf(nextCheckAt, freeAt) }
}

function afterActs(decision: Decision, input: TurnInput): Decision {
  const { done } = input
  if (decision.kind === "expire" && done.expire !== undefined && isUnclear(input)) {
    // The order is still there, for example because another link of it shows money.
    return { kind: "attention", reason: "gateway_unclear" }
  }
  if (decision.kind === "expire" && isExpiryStuck(input)) {
    return { kind: "attention", reason: "order_not_canceled" }
  }
  if (decision.kind === "capture" && done.adopt !== undefined) {
    // The row is bound to another session now, and this settle has read it before that: the next settle captures.
    return { kind: "adopt" }
  }
  if (decision.kind === "done" && done.verify === "blocked") {
    return { kind: "confirm" }
  }
  if (isOfChangedCart(decision, input) && done.verify === "blocked") {
    return { kind: "retry" }
  }
  return decision
}

/** A change of the cart that is refused shows the new total until core has undone it, under the cart's lock. */
function isOfChangedCart(decision: Decision, input: TurnInput): boolean {
  const { order_id, cart_id } = input.facts
  const isMismatch = decision.kind === "attention" && decision.reason === "amount_mismatch"
  return isMismatch && order_id === null && cart_id !== null && !isAskedFor(input)
}

function isExpiryStuck({ facts, done }: TurnInput): boolean {
  const expiresAtMs = facts.order_expires_at?.getTime() ?? Infinity
  const overdueMs = facts.database_now.getTime() - expiresAtMs
  return done.expire === "blocked" && overdueMs >= EXPIRY_PATIENCE_MS
}

function nextAct(decision: Decision, input: TurnInput): Act | null {
  const { row, facts, done } = input
  if (decision.kind === "adopt") {
    return done.adopt === undefined ? "adopt" : null
  }
  if (isCoresTurn(decision) && !isOnlyOnRequest(input)) {
    const mayCapture = done.capture === undefined || done.capture === "again"
    return mayCapture && done.book === undefined ? "capture" : null
  }
  if (decision.kind === "confirm" && done.book === undefined && mayBook(row, facts, done)) {
    return "book"
  }
  // Core books the capture, runs the merchant's hooks and takes the order back when a hook fails. Wait for the lock.
  const isUnsure = decision.kind === "done" || isOfChangedCart(decision, input)
  if (isUnsure && facts.cart_id !== null && done.verify === undefined) {
    return "verify"
  }
  return decision.kind === "expire" && done.expire === undefined ? "expire" : null
}

function isCoresTurn(decision: Decision): boolean {
  return (
    decision.kind === "capture" || (decision.kind === "attention" && decision.reason === "paid_without_order")
  )
}

/** Core acts only on request: an admin user closed the case, or the order existed and is gone. */
function isOnlyOnRequest({ row, isAskedByAdmin }: TurnInput): boolean {
  return (isResolvedByAdmin(row) || row.settled_at !== null) && !isAskedByAdmin
}

/** A wrong sum is always wrong, so the repair does not wait. */
function mayBook(row: DecidedRow, facts: DecidedFacts, done: Progress): boolean {
  return isBookedWrongly(facts) || (done.verify === undefined && isCaptureInterrupted(row, facts))
}

/**
 * Whether core's bookings of the capture add up to another sum. While nothing is booked, core may be about to book it.
 */
export function isBookedWrongly({ order_booked_amount, payment_captured }: DecidedFacts): boolean {
  return isMoreThan(order_booked_amount, "0") && !amountsEqual(order_booked_amount, payment_captured)
}

/**
 * Whether core captured so long ago that it cannot be about to book the capture. A server with a fast clock dates its
 * capture too late: then the time counts from when a settle first saw it.
 */
export function isCaptureInterrupted(
  { captured_at }: DecidedRow,
  { first_captured_at, database_now, payment_captured }: DecidedFacts
): boolean {
  const capturedAtMs = Math.min(captured_at?.getTime() ?? Infinity, first_captured_at?.getTime() ?? Infinity)
  return isMoreThan(payment_captured, "0") && database_now.getTime() - capturedAtMs >= CORE_LOCK_MS
}
