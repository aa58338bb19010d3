import type { SettlementFacts } from "../../modules/crypto-payments/ledger/core-facts"
import type { FinishedSettle, SettleOutcome } from "../../modules/crypto-payments/ledger/settlement-ledger"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { decide, nextCheckAt, toDecisionInput, type AttentionReason, type Decision } from "../../settlement"
import { isCaptureCutOff } from "./book-capture"

/**
 * Who asked for a settle. It is written into the timeline and never decides what becomes paid. `schedule` and
 * `order_changed` settle a row only if it is due; the others settle it now.
 */
export type SettleTrigger = "notification" | "schedule" | "admin" | "provider" | "order_changed"

const HOUR_MS = 60 * 60 * 1000
const RETRY_MS = 60_000
const CONFIRM_MS = 5000
const MONTH_MS = 30 * 24 * HOUR_MS
/** How long core may take to capture before a person is told; a busy cart lock alone takes half a minute. */
const CAPTURE_GRACE_MS = 2 * 60_000

interface SettleRun {
  ledger: CryptoPaymentsModuleService
  row: CryptoPaymentRequestRow
  trigger: SettleTrigger
  /** Lets core capture and place the order; what came of it is read from the database. Says whether to try again at once. */
  capture: (row: CryptoPaymentRequestRow, facts: SettlementFacts) => Promise<boolean>
  /** Cancels the unpaid order whose time is over. */
  cancelOrder: (row: CryptoPaymentRequestRow, unpaidOrderTtlMs: number) => Promise<void>
  /** Books a capture on its order that core was killed before booking; what came of it is read from the database. */
  book: (row: CryptoPaymentRequestRow, facts: SettlementFacts) => Promise<void>
  /** Does the work while nobody completes the cart. @returns undefined when the cart did not become free in time */
  whileCartIsFree: <T>(cartId: string, work: () => Promise<T>) => Promise<T | undefined>
}

/** One run over a row this process holds the lease of: check, decide, apply, write down, give back. */
export async function settleLeased(run: SettleRun): Promise<FinishedSettle> {
  const { ledger, row: before } = run
  try {
    const { row, outcome } = await settle(run)
    const finished = await ledger.settlements.finish(before, row, outcome)
    await announce(ledger, before, finished)
    return finished
  } catch (error) {
    await ledger.settlements.releaseLease(before, new Date(Date.now() + RETRY_MS))
    throw error
  }
}

async function settle(run: SettleRun): Promise<{ row: CryptoPaymentRequestRow; outcome: SettleOutcome }> {
  const { ledger, row: before, trigger } = run
  if (before.state === "refunded" || before.settled_at !== null) {
    return { row: before, outcome: { ...unchanged(before), next_check_at: null } }
  }
  if (trigger === "notification") {
    await ledger.addActivity(before.id, "notified")
  }
  const { row, failure } = await ledger.checkGateway(before)
  if (row.gateway_status !== before.gateway_status || failure !== before.failure) {
    await ledger.addActivity(row.id, "checked", { trigger, status: row.gateway_status, failure })
  }
  let facts = await ledger.readSettlementFacts(row.id)
  const ttlMs = await ledger.unpaidOrderTtlMs(row.provider_id)
  const decideNow = (): Decision => decide(toDecisionInput(row, failure, facts, new Date(), ttlMs))
  let decision = decideNow()
  // Twice at most: core skips completing a cart that another completion has half done and then takes back.
  let mayTryAgain = true
  for (
    let attempt = 0;
    attempt < 2 && mayTryAgain && !isLeftToPerson(run) && isCoresTurn(decision);
    attempt++
  ) {
    mayTryAgain = await run.capture(row, facts)
    facts = await ledger.readSettlementFacts(row.id)
    decision = decideNow()
  }
  if (decision.kind === "confirm" && isCaptureCutOff(facts, new Date())) {
    await run.book(row, facts)
    facts = await ledger.readSettlementFacts(row.id)
    const booked = decideNow()
    decision = booked.kind === "confirm" ? { kind: "attention", reason: "paid_without_order" } : booked
  }
  if (decision.kind === "done" && facts.cart_id !== null) {
    // Core books the capture, runs the merchant's hooks, and takes the order back when one fails: until it lets the cart go.
    const settled = await run.whileCartIsFree(
      facts.cart_id,
      async () => await ledger.readSettlementFacts(row.id)
    )
    facts = settled ?? facts
    decision = settled === undefined ? { kind: "confirm" } : decideNow()
  }
  if (decision.kind === "expire" && ttlMs !== null) {
    await run.cancelOrder(row, ttlMs)
    facts = await ledger.readSettlementFacts(row.id)
    decision = decideNow()
  }
  if (decision.kind === "close") {
    await ledger.settlements.close(row.id)
  }
  const now = new Date()
  return { row, outcome: notAfterExpiry(toOutcome(decision, row, facts, now), facts, ttlMs, now) }
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

/** What is written down for a decision, after core has had its turn. */
function toOutcome(
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

function unchanged(row: CryptoPaymentRequestRow): SettleOutcome {
  return {
    order_id: row.order_id,
    captured_at: row.captured_at,
    settled_at: row.settled_at,
    next_check_at: row.next_check_at,
  }
}

async function announce(
  ledger: CryptoPaymentsModuleService,
  before: CryptoPaymentRequestRow,
  { row, attentionIsNew }: FinishedSettle
): Promise<void> {
  if (attentionIsNew && row.attention_reason !== null) {
    await ledger.announceAttention(row, row.attention_reason)
  }
  if (before.settled_at === null && row.settled_at !== null && row.state === "captured") {
    await ledger.announceSettled(row)
  }
}

function isCoresTurn(decision: Decision): boolean {
  return (
    decision.kind === "capture" || (decision.kind === "attention" && decision.reason === "paid_without_order")
  )
}

/**
 * Whether a person has closed the case of a payment without an order: they may have sent the money back or shipped by
 * hand, so it becomes an order only when they ask for it.
 */
function isLeftToPerson({ row, trigger }: SettleRun): boolean {
  return (
    row.attention_reason === "paid_without_order" && row.attention_resolved_at !== null && trigger !== "admin"
  )
}

function latest(date: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(date.getTime(), ...others.map((other) => other?.getTime() ?? 0)))
}

function isOlderThan(date: Date | null, ageMs: number, now: Date): boolean {
  return date !== null && now.getTime() - date.getTime() >= ageMs
}
