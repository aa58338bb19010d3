import { MathBN } from "@medusajs/framework/utils"
import { isResolvedByAdmin, type AttentionReason } from "./attention"
import { isAskedFor, type Decision, type DecisionInput } from "./decide"
import type { DecidedRow } from "./facts"
import { hasPart, hasUnknownWord, isRestAwaited, recordedStatus, REFUSED_PATIENCE_MS } from "./gateway-status"
import { isMoreThan, toTwoDecimals } from "./money"
import { PAYING_GRACE_MS } from "./order-expiry"
import { HOUR_MS, MONTH_MS, nextCheckAt, quickCheckAt } from "./retry-ladder"

const CONFIRM_MS = 5000
/** How long core may take to capture before a case is opened. A busy cart lock alone takes half a minute. */
const BLOCKED_MS = 10 * 60_000
const CAPTURE_GRACE_MS = 2 * 60_000

/** What a settle writes when it ends. Nothing else is written. */
export interface Outcome {
  /** The transition of the row's life cycle; undefined when its state stays. */
  cause?: "given_up" | "link_withdrawn" | "captured" | "refunded"
  orderId: string | null
  capturedAt: Date | null
  settledAt: Date | null
  attention?: AttentionReason
  detail?: Record<string, string | null>
  /** How much the order still owes, or how much too much was captured. Two decimals. */
  attentionAmount?: string
  /** There is news since an admin user closed the case of the same reason: it is opened again. */
  reopens?: true
  /** What had been paid for the order otherwise. Set when a payment is settled; later payments are compared with it. */
  otherPayments?: string
  /** Which open cases end: all, those of an unpaid link, or those of an unreadable gateway or missing provider. */
  endsCases?: "all" | "unpaid" | "gateway"
  /** The payer is to be reminded now. */
  reminds?: true
  nextCheckAt: Date | null
}

/** Whether an outcome changes nothing of an unpaid row except the time of its next check. */
export function changesNothing(outcome: Outcome, row: DecidedRow): boolean {
  return (
    outcome.cause === undefined &&
    outcome.attention === undefined &&
    outcome.reminds === undefined &&
    // An open case may be over.
    row.attention_reason === null &&
    outcome.orderId === row.order_id &&
    outcome.capturedAt === row.captured_at &&
    outcome.settledAt === row.settled_at
  )
}

/** An admin user who asks for a settle hears what prevents it, also of a case that is closed. */
type OutcomeInput = DecisionInput & { isAskedByAdmin: boolean }
type Unscheduled = Omit<Outcome, "nextCheckAt">

export function toOutcome(decision: Decision, input: OutcomeInput): Outcome {
  return notAfterReminder(notAfterExpiry(outcomeByLadder(decision, input), input), input)
}

/**
 * An unpaid order is checked when its time is over, and again when a payment that has begun holds it no longer, even if
 * the next step of the ladder is later.
 */
function notAfterExpiry(outcome: Outcome, { facts }: OutcomeInput): Outcome {
  const expiresAt = facts.order_expires_at
  const isUnpaid = facts.order_id !== null && !facts.order_canceled
  if (!isUnpaid || expiresAt === null || outcome.nextCheckAt === null) {
    return outcome
  }
  const ends = [expiresAt, new Date(expiresAt.getTime() + PAYING_GRACE_MS)]
  const next = ends.find((end) => end > facts.database_now)
  return { ...outcome, nextCheckAt: soonerOf(outcome.nextCheckAt, next ?? null) }
}

/** A link whose payer is to be reminded is checked then: only a read can say that it is still unpaid. */
function notAfterReminder(outcome: Outcome, { row, facts }: OutcomeInput): Outcome {
  const { remind_at, state } = row
  const { nextCheckAt } = outcome
  const isAhead = state === "open" && remind_at !== null && remind_at > facts.database_now
  return isAhead && nextCheckAt !== null
    ? { ...outcome, nextCheckAt: soonerOf(nextCheckAt, remind_at) }
    : outcome
}

/**
 * Whether the payer is reminded now. Decided only for a link that waits, so its order is not cancelled and not paid
 * otherwise, and the gateway was read. Who may be paying at this moment, in whatever way, is not reminded.
 */
function isToRemind({ row, facts }: OutcomeInput): boolean {
  const isTime = row.remind_at !== null && row.remind_at <= facts.database_now
  const isUnpaid = recordedStatus(row) === "UNPAID" && !row.is_reported_paid && !hasPart(row)
  const isOffered = row.state === "open" && facts.session_amount !== null
  return isTime && isUnpaid && isOffered && !facts.is_other_payment_begun && !facts.paid_by_another
}

function outcomeByLadder(decision: Decision, input: OutcomeInput): Outcome {
  const { row, facts } = input
  const now = facts.database_now
  const base: Unscheduled = {
    orderId: facts.order_id ?? row.order_id,
    capturedAt: row.captured_at,
    settledAt: null,
  }
  const quick = quickCheckAt(row, now)
  const ladder = checkByLadder(input)
  // Somebody waits for the payment, so checks never end.
  const awaited = ladder ?? later(MONTH_MS, input)
  // The money may have been received long ago: an admin user can use it for an order months later.
  const withinHour = soonerOf(later(HOUR_MS, input), ladder)
  switch (decision.kind) {
    case "wait":
      return {
        ...base,
        endsCases: "unpaid",
        ...(isToRemind(input) ? { reminds: true as const } : {}),
        nextCheckAt: quick ?? soonerOf(awaited, caseAt(row)),
      }
    case "expire":
      return { ...base, endsCases: "gateway", nextCheckAt: quick ?? expiryCheckAt(input) }
    case "withdraw": {
      const opens = caseAt(row)
      const next = opens === null ? ladder : soonerOf(opens, ladder)
      return { ...base, ...withdrawal(input), endsCases: "unpaid", nextCheckAt: quick ?? next }
    }
    case "close":
      return {
        ...base,
        ...(["creating", "open", "superseded"].includes(row.state) ? { cause: "given_up" as const } : {}),
        endsCases: "unpaid",
        nextCheckAt: quick ?? ladder,
      }
    case "confirm": {
      const captured = { ...capturedBy(base, input), settledAt: row.settled_at }
      // Such as by a lock that a dead process has left.
      const blocked = row.settled_at === null ? facts.first_captured_at : null
      const opened = caseAfter(HOUR_MS, blocked, "settle_fails", input)
      const delayMs = opened.attention === undefined ? CONFIRM_MS : BLOCKED_MS
      return { ...captured, ...opened, nextCheckAt: later(delayMs, input) }
    }
    case "retry": {
      const byLadder = nextCheckAt(row.failing_since ?? row.paid_at ?? row.created_at, now)
      return { ...base, nextCheckAt: quick ?? byLadder ?? later(MONTH_MS, input) }
    }
    case "done":
      return {
        ...capturedBy(base, input),
        settledAt: row.settled_at ?? now,
        ...(facts.is_paid_again ? { reopens: true as const } : {}),
        otherPayments: facts.other_payments,
        ...(decision.attention === undefined
          ? { endsCases: "all" as const }
          : {
              attention: decision.attention,
              attentionAmount: toTwoDecimals(MathBN.abs(facts.order_unpaid ?? "0")),
            }),
        nextCheckAt: null,
      }
    case "refunded":
      return {
        ...base,
        // Null for money that was sent back before it was captured.
        capturedAt: row.captured_at ?? facts.first_captured_at,
        cause: "refunded",
        settledAt: row.settled_at ?? now,
        endsCases: "all",
        nextCheckAt: null,
      }
    case "adopt":
      return facts.session_amount === null
        ? // The collection was not free at this moment: tried again, and a case is opened if that lasts.
          {
            ...base,
            ...caseAfter(CAPTURE_GRACE_MS, row.paid_at, "orphan_paid", input),
            nextCheckAt: withinHour,
          }
        : // The money has its session: another settle captures it.
          { ...base, nextCheckAt: now }
    case "capture":
      // Core has run and there is no capture: try again, and open a case if that lasts.
      return isResolvedByAdmin(row) && !input.isAskedByAdmin
        ? { ...base, nextCheckAt: ladder }
        : {
            ...base,
            ...caseAfter(CAPTURE_GRACE_MS, row.paid_at, "paid_without_order", input),
            // The case that was closed may have another reason.
            ...(row.attention_reason === "paid_without_order" && !input.isAskedByAdmin
              ? {}
              : { reopens: true as const }),
            nextCheckAt: withinHour,
          }
    case "attention":
      return attentionOutcome(decision.reason, base, input)
  }
}

function attentionOutcome(reason: AttentionReason, base: Unscheduled, input: OutcomeInput): Outcome {
  const { row, facts } = input
  const opened = { ...base, attention: reason }
  const isCaptured = isMoreThan(facts.payment_captured, "0")
  switch (reason) {
    case "paid_without_order":
      return row.settled_at === null
        ? {
            ...capturedBy(opened, input),
            ...(input.isAskedByAdmin ? { reopens: true as const } : {}),
            nextCheckAt: checkByLadder(input),
          }
        : // The order was placed once and is gone. Its row stays settled, so that nothing is placed anew by itself.
          { ...opened, settledAt: row.settled_at, nextCheckAt: null }
    case "order_not_canceled":
      return { ...opened, nextCheckAt: expiryCheckAt(input) }
    case "provider_missing":
    case "gateway_refuses":
    case "gateway_unreadable": {
      // A closed link of another account is not read.
      const isOver = row.failure === "former_address" && row.state === "closed"
      return { ...opened, ...newsOf(row), nextCheckAt: isOver ? checkByLadder(input) : later(HOUR_MS, input) }
    }
    case "gateway_unclear":
      return { ...opened, reopens: true, nextCheckAt: later(HOUR_MS, input) }
    case "partly_paid":
      // The rest may arrive at any time. It is also the case while a notification says PAID and the reads do not.
      return {
        ...opened,
        ...newsOf(row),
        nextCheckAt:
          quickCheckAt(row, facts.database_now) ??
          // Once the case is closed, as rarely as any other link.
          soonerOf(later(isRestAwaited(row) ? HOUR_MS : MONTH_MS, input), checkByLadder(input)),
      }
    case "amount_mismatch":
      // What was captured before its cart changed is a capture all the same. The cart may ask for it again.
      return {
        ...(isCaptured ? capturedBy(opened, input) : opened),
        nextCheckAt: facts.order_id === null && !isAskedFor(input) ? checkByLadder(input) : null,
      }
    default:
      // Nothing follows automatically: the row stays in the attention list until the merchant has dealt with it.
      return { ...(isCaptured ? capturedBy(opened, input) : opened), nextCheckAt: null }
  }
}

/** When a part that the gateway still confirms, or a word that it does not have, becomes a case if nothing follows. */
function caseAt(row: DecidedRow): Date | null {
  const since = row.status_since ?? row.created_at
  return hasPart(row) || hasUnknownWord(row) ? new Date(since.getTime() + REFUSED_PATIENCE_MS) : null
}

/** PAID was reported, or a word appeared that may mean it, after an admin user closed the case. */
function newsOf(row: DecidedRow): Pick<Outcome, "reopens"> {
  const closedAt = row.attention_resolved_at ?? Infinity
  const heard = [row.is_reported_paid ? row.notified_at : null, hasUnknownWord(row) ? row.status_since : null]
  return heard.some((date) => date !== null && date > closedAt) ? { reopens: true } : {}
}

function capturedBy(base: Unscheduled, { row, facts }: OutcomeInput): Unscheduled {
  const capturedAt = row.captured_at ?? facts.first_captured_at ?? facts.database_now
  return { ...base, cause: "captured", capturedAt }
}

function caseAfter(
  patienceMs: number,
  since: Date | null,
  attention: AttentionReason,
  { facts }: OutcomeInput
): Pick<Outcome, "attention"> {
  const isOver = since !== null && facts.database_now.getTime() - since.getTime() >= patienceMs
  return isOver ? { attention } : {}
}

function withdrawal({ row, facts }: OutcomeInput): Pick<Outcome, "cause" | "detail"> {
  if (row.state !== "creating" && row.state !== "open") {
    return {}
  }
  const detail: Record<string, string> = facts.paid_by_another ? { reason: "paid_another_way" } : {}
  return { cause: "link_withdrawn", detail }
}

/** An order that could not be cancelled is tried again: soon after its time was over, later every hour. */
function expiryCheckAt(input: OutcomeInput): Date {
  const { order_expires_at, database_now: now } = input.facts
  return soonerOf(later(HOUR_MS, input), nextCheckAt(order_expires_at ?? now, now))
}

/** Reads may not show a notified PAID yet, and a link may be offered again late: each restarts the ladder. */
function checkByLadder({ row, facts: { session_created_at, database_now } }: OutcomeInput): Date | null {
  const since =
    row.paid_at ??
    [row.notified_at ?? row.last_webhook_at, session_created_at].reduce<Date>(
      (latest, date) => (date !== null && date > latest ? date : latest),
      row.created_at
    )
  return nextCheckAt(since, database_now)
}

function later(ms: number, { facts }: OutcomeInput): Date {
  return new Date(facts.database_now.getTime() + ms)
}

export function soonerOf(date: Date, other: Date | null): Date {
  return other !== null && other < date ? other : date
}
