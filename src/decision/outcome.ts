import { MathBN } from "@medusajs/framework/utils"
import { mayAlign, needsAlignment } from "./alignment"
import type { AttentionReason } from "./attention"
import type { Decision } from "./decide"
import type { DecidedFacts, DecidedRow } from "./decision-input"
import { renewableFrom } from "./link-renewal"
import { toTwoDecimals } from "./money"
import { orderExpiresAt, PAYING_GRACE_MS } from "./order-expiry"
import { MONTH_MS, nextCheckAt, quickCheckAt } from "./retry-ladder"

const HOUR_MS = 60 * 60 * 1000
const CONFIRM_MS = 5000
/** How long core may take to capture before a case is opened. A busy cart lock alone takes half a minute. */
const BLOCKED_MS = 10 * 60_000
const CAPTURE_GRACE_MS = 2 * 60_000
const RENEWAL_PATIENCE_MS = HOUR_MS / 2

/** The reason of a withdrawal in the timeline. */
export const PAID_ANOTHER_WAY = "paid_another_way"
const COLLECTION_DELETED = "collection_deleted"

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
  /** More money was received after an admin user closed the case of the same reason: it is opened again. */
  reopens?: true
  /** What had been paid for the order otherwise. Set when a payment is settled; later payments are compared with it. */
  otherPayments?: string
  /** Which open cases end: all, those of an unpaid link, or those of an unreadable gateway or missing provider. */
  endsCases?: "all" | "unpaid" | "gateway"
  nextCheckAt: Date | null
}

/** Whether an outcome changes nothing of an unpaid row except the time of its next check. */
export function changesNothing(outcome: Outcome, row: DecidedRow, facts: DecidedFacts): boolean {
  return (
    outcome.cause === undefined &&
    outcome.attention === undefined &&
    // An open case may be over.
    row.attention_reason === null &&
    outcome.orderId === row.order_id &&
    outcome.capturedAt === row.captured_at &&
    outcome.settledAt === row.settled_at &&
    // The link may need no replacement any more.
    facts.renewal_tried_at === null &&
    facts.renewal_failing_since === null
  )
}

interface OutcomeContext {
  now: Date
  unpaidOrderTtlMs: number | null
}

/** Builds what is written for a decision, after core has acted, and when the row is due again. */
export function toOutcome(
  decision: Decision,
  row: DecidedRow,
  facts: DecidedFacts,
  context: OutcomeContext
): Outcome {
  return notAfterExpiry(outcomeByLadder(decision, row, facts, context), facts, context)
}

/**
 * An unpaid order is checked when its time is over, and again when a payment that has begun holds it no longer, even if
 * the next step of the ladder is later.
 */
function notAfterExpiry(
  outcome: Outcome,
  facts: DecidedFacts,
  { now, unpaidOrderTtlMs }: OutcomeContext
): Outcome {
  const expiresAt = orderExpiresAt(facts, unpaidOrderTtlMs)
  const isUnpaid = facts.order_id !== null && !facts.order_canceled
  if (!isUnpaid || expiresAt === null || outcome.nextCheckAt === null) {
    return outcome
  }
  const next = [expiresAt, new Date(expiresAt.getTime() + PAYING_GRACE_MS)].find((end) => end > now)
  return { ...outcome, nextCheckAt: soonerOf(outcome.nextCheckAt, next ?? null) }
}

function outcomeByLadder(
  decision: Decision,
  row: DecidedRow,
  facts: DecidedFacts,
  context: OutcomeContext
): Outcome {
  const { now } = context
  const base: Omit<Outcome, "nextCheckAt"> = {
    orderId: facts.order_id ?? row.order_id,
    capturedAt: row.captured_at,
    settledAt: null,
  }
  const capturedAt = row.captured_at ?? facts.first_captured_at ?? now
  const ladder = checkByLadder(row, facts, now)
  // Somebody waits for the payment, so checks never end.
  const awaited = ladder ?? new Date(now.getTime() + MONTH_MS)
  switch (decision.kind) {
    case "wait":
      return { ...base, endsCases: "unpaid", nextCheckAt: quickCheckAt(row, now) ?? awaited }
    case "renew":
      return {
        ...base,
        ...(row.failing_since === null ? { endsCases: "gateway" as const } : {}),
        ...(isOlderThan(facts.renewal_failing_since, RENEWAL_PATIENCE_MS, now)
          ? { attention: "link_not_replaced" as const }
          : {}),
        nextCheckAt: quickCheckAt(row, now) ?? soonerOf(awaited, renewableFrom(facts)),
      }
    case "expire":
      return {
        ...base,
        endsCases: "gateway",
        nextCheckAt: quickCheckAt(row, now) ?? expiryCheckAt(facts, context),
      }
    case "withdraw":
      return {
        ...base,
        ...(isShown(row)
          ? {
              cause: "link_withdrawn" as const,
              detail: { reason: withdrawnBecause(row, facts) },
            }
          : {}),
        endsCases: "unpaid",
        nextCheckAt: quickCheckAt(row, now) ?? ladder,
      }
    case "close":
      return {
        ...base,
        ...(isOffered(row) ? { cause: "given_up" as const } : {}),
        endsCases: "unpaid",
        // A request of another account cannot be read.
        nextCheckAt: row.failure === "other_account" ? null : (quickCheckAt(row, now) ?? ladder),
      }
    case "confirm": {
      // Such as by a lock that a dead process has left.
      const isBlocked = row.settled_at === null && isOlderThan(facts.first_captured_at, HOUR_MS, now)
      return {
        ...base,
        cause: "captured",
        capturedAt,
        settledAt: row.settled_at,
        ...(isBlocked ? { attention: "settle_fails" as const } : {}),
        nextCheckAt: new Date(now.getTime() + (isBlocked ? BLOCKED_MS : CONFIRM_MS)),
      }
    }
    case "retry":
      return {
        ...base,
        nextCheckAt:
          quickCheckAt(row, now) ??
          nextCheckAt(row.failing_since ?? row.created_at, now) ??
          new Date(now.getTime() + MONTH_MS),
      }
    case "done":
      return {
        ...base,
        cause: "captured",
        capturedAt,
        settledAt: row.settled_at ?? now,
        ...(facts.is_paid_again ? { reopens: true as const } : {}),
        otherPayments: facts.other_payments,
        ...(decision.attention === undefined
          ? { endsCases: "all" as const }
          : { ...caseOf(decision.attention, facts), ...withDetail(decision.attention, facts) }),
        nextCheckAt: alignmentAt(decision.attention, row, facts, now),
      }
    case "refunded":
      return {
        ...base,
        cause: "refunded",
        capturedAt,
        settledAt: row.settled_at ?? now,
        endsCases: "all",
        nextCheckAt: null,
      }
    case "adopt":
      return facts.session_amount === null
        ? // The collection was not free at this moment: tried again, and a case is opened if that lasts.
          {
            ...base,
            ...(isOlderThan(row.paid_at, CAPTURE_GRACE_MS, now) ? { attention: "orphan_paid" } : {}),
            nextCheckAt: ladder,
          }
        : // The money has its session: another settle captures it.
          { ...base, nextCheckAt: now }
    case "capture":
      // Core has run and there is no capture: try again, and open a case if that lasts.
      return {
        ...base,
        ...(isOlderThan(row.paid_at, CAPTURE_GRACE_MS, now) ? { attention: "paid_without_order" } : {}),
        nextCheckAt: ladder,
      }
    case "attention":
      return decision.reason === "paid_without_order" && row.settled_at !== null
        ? // The order was placed once and is gone. Its row stays settled, so that nothing is placed anew by itself.
          { ...base, settledAt: row.settled_at, attention: decision.reason, nextCheckAt: null }
        : {
            ...attentionOutcome(decision.reason, base, {
              capturedAt,
              ladder,
              now,
              expiryCheckAt: expiryCheckAt(facts, context),
            }),
            ...withDetail(decision.reason, facts),
          }
  }
}

function attentionOutcome(
  reason: AttentionReason,
  base: Omit<Outcome, "nextCheckAt">,
  {
    capturedAt,
    ladder,
    now,
    expiryCheckAt,
  }: { capturedAt: Date; ladder: Date | null; now: Date; expiryCheckAt: Date }
): Outcome {
  switch (reason) {
    case "paid_without_order":
      return { ...base, cause: "captured", capturedAt, attention: reason, nextCheckAt: ladder }
    case "order_not_canceled":
      return { ...base, attention: reason, nextCheckAt: expiryCheckAt }
    case "provider_missing":
    case "gateway_refuses":
    case "gateway_unreadable":
      return { ...base, attention: reason, nextCheckAt: new Date(now.getTime() + HOUR_MS) }
    default:
      // Nothing follows automatically: the row stays in the attention list until the merchant has dealt with it.
      return { ...base, attention: reason, nextCheckAt: null }
  }
}

/** Further facts of a case, for its entry in the timeline. */
export function caseDetail(
  reason: AttentionReason,
  { order_id, order_obstacle, paid_by_provider }: DecidedFacts
): Record<string, string | null> {
  switch (reason) {
    case "order_not_canceled":
      return { obstacle: order_obstacle ?? "other", order_id }
    case "duplicate_payment":
      return paid_by_provider === null ? {} : { paid_by: paid_by_provider }
    default:
      return {}
  }
}

function withDetail(reason: AttentionReason, facts: DecidedFacts): Pick<Outcome, "detail"> {
  const detail = caseDetail(reason, facts)
  return Object.keys(detail).length === 0 ? {} : { detail }
}

/** An order that could not be cancelled is tried again: soon after its time was over, later every hour. */
function expiryCheckAt(facts: DecidedFacts, { now, unpaidOrderTtlMs }: OutcomeContext): Date {
  const overSince = orderExpiresAt(facts, unpaidOrderTtlMs) ?? now
  const inAnHourMs = now.getTime() + HOUR_MS
  const byLadder = nextCheckAt(overSince, now)
  return new Date(Math.min(byLadder?.getTime() ?? inAnHourMs, inAnHourMs))
}

/** Reads may not show a notified PAID yet, and a link may be offered again late: each restarts the ladder. */
function checkByLadder(row: DecidedRow, { session_created_at }: DecidedFacts, now: Date): Date | null {
  const since =
    row.paid_at ?? latest(row.created_at, row.notified_at ?? row.last_webhook_at, session_created_at)
  return nextCheckAt(since, now)
}

function soonerOf(date: Date, other: Date | null): Date {
  return other !== null && other.getTime() < date.getTime() ? other : date
}

function isShown({ state, paid_at }: DecidedRow): boolean {
  return paid_at === null && (state === "creating" || state === "open")
}

function withdrawnBecause(row: DecidedRow, { paid_by_another }: DecidedFacts): string {
  if (row.failure === "other_account") {
    return row.failure
  }
  return paid_by_another ? PAID_ANOTHER_WAY : COLLECTION_DELETED
}

function caseOf(
  attention: NonNullable<Extract<Decision, { kind: "done" }>["attention"]>,
  { order_unpaid }: DecidedFacts
): Pick<Outcome, "attention" | "attentionAmount"> {
  return attention === "duplicate_payment"
    ? { attention }
    : { attention, attentionAmount: toTwoDecimals(MathBN.abs(order_unpaid ?? "0")) }
}

/** When the next settle aligns the collections. It is tried again if core refuses. */
function alignmentAt(
  attention: string | undefined,
  row: DecidedRow,
  facts: DecidedFacts,
  now: Date
): Date | null {
  if (!needsAlignment(attention, facts)) {
    return null
  }
  return new Date(now.getTime() + (mayAlign(row, attention, facts) ? HOUR_MS : CONFIRM_MS))
}

function isOffered({ state, paid_at }: DecidedRow): boolean {
  return paid_at === null && (state === "creating" || state === "open" || state === "superseded")
}

function latest(date: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(date.getTime(), ...others.map((other) => other?.getTime() ?? 0)))
}

function isOlderThan(date: Date | null, ageMs: number, now: Date): boolean {
  return date !== null && now.getTime() - date.getTime() >= ageMs
}
