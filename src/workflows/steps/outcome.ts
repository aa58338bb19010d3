import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { SettleOutcome } from "../../modules/crypto-payments/payment-requests/store"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { nextCheckAt, type AttentionReason, type Decision } from "../../decision"

const HOUR_MS = 60 * 60 * 1000
const CONFIRM_MS = 5000
const MONTH_MS = 30 * 24 * HOUR_MS
/** How long core may take to capture before a person is told; a busy cart lock alone takes half a minute. */
const CAPTURE_GRACE_MS = 2 * 60_000

/** What is written down for a decision, after core has had its turn, and when the row is looked at again. */
export function toOutcome(
  decision: Decision,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  { now, unpaidOrderTtlMs }: { now: Date; unpaidOrderTtlMs: number | null }
): SettleOutcome {
  return notAfterExpiry(outcomeByBackOff(decision, row, facts, now), facts, unpaidOrderTtlMs, now)
}

/** An order that stands unpaid is looked at when its time is over, however slow the back-off has become. */
function notAfterExpiry(
  outcome: SettleOutcome,
  { order_id, order_canceled, order_expires_from }: SettlementFacts,
  ttlMs: number | null,
  now: Date
): SettleOutcome {
  if (order_id === null || order_canceled || order_expires_from === null || ttlMs === null) {
    return outcome
  }
  const expiresAtMs = order_expires_from.getTime() + ttlMs
  const isSooner = outcome.next_check_at !== null && outcome.next_check_at.getTime() > expiresAtMs
  return isSooner && expiresAtMs > now.getTime()
    ? { ...outcome, next_check_at: new Date(expiresAtMs) }
    : outcome
}

function outcomeByBackOff(
  decision: Decision,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  now: Date
): SettleOutcome {
  const base = { ...unchanged(row), order_id: facts.order_id ?? row.order_id }
  const capturedAt = row.captured_at ?? facts.first_captured_at ?? now
  // The gateway may notify of a PAID that its reads do not show yet, and a link may be offered again long after it was
  // made: each begins the back-off anew.
  const since = row.paid_at ?? latest(row.created_at, row.last_webhook_at, facts.session_created_at)
  const backOff = nextCheckAt(since, now)
  switch (decision.kind) {
    case "wait":
    case "expire":
      // Someone still waits for it, so it is never given up.
      return { ...base, mends: "gateway", next_check_at: backOff ?? new Date(now.getTime() + MONTH_MS) }
    case "close":
      return { ...base, mends: "gateway", next_check_at: backOff }
    case "confirm":
      return {
        ...base,
        state: "captured",
        captured_at: capturedAt,
        next_check_at: new Date(now.getTime() + CONFIRM_MS),
      }
    case "retry":
      return { ...base, next_check_at: nextCheckAt(row.failing_since ?? row.created_at, now) }
    case "done":
      return {
        ...base,
        state: "captured",
        captured_at: capturedAt,
        settled_at: now,
        ...(decision.attention === undefined ? { mends: "all" as const } : { attention: decision.attention }),
        next_check_at: null,
      }
    case "refunded":
      return {
        ...base,
        state: "refunded",
        captured_at: capturedAt,
        settled_at: now,
        mends: "all",
        next_check_at: null,
      }
    case "capture":
      // Core has had its turn and there is no capture: tried again, and told to a person if that lasts.
      return {
        ...base,
        ...(isOlderThan(row.paid_at, CAPTURE_GRACE_MS, now) ? { attention: "paid_without_order" } : {}),
        next_check_at: backOff,
      }
    case "attention":
      return attentionOutcome(decision.reason, base, { capturedAt, backOff, now })
  }
}

function attentionOutcome(
  reason: AttentionReason,
  base: SettleOutcome,
  { capturedAt, backOff, now }: { capturedAt: Date; backOff: Date | null; now: Date }
): SettleOutcome {
  switch (reason) {
    case "paid_without_order":
      return {
        ...base,
        state: "captured",
        captured_at: capturedAt,
        attention: reason,
        next_check_at: backOff,
      }
    case "gateway_refuses":
    case "gateway_unreadable":
      return { ...base, attention: reason, next_check_at: new Date(now.getTime() + HOUR_MS) }
    default:
      // Nothing more comes of it by itself: it stands on the list until a person has dealt with it.
      return { ...base, attention: reason, next_check_at: null }
  }
}

/** What a run writes down that found nothing new. */
export function unchanged(row: CryptoPaymentRequestRow): SettleOutcome {
  return {
    order_id: row.order_id,
    captured_at: row.captured_at,
    settled_at: row.settled_at,
    next_check_at: row.next_check_at,
  }
}

function latest(date: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(date.getTime(), ...others.map((other) => other?.getTime() ?? 0)))
}

function isOlderThan(date: Date | null, ageMs: number, now: Date): boolean {
  return date !== null && now.getTime() - date.getTime() >= ageMs
}
