import type { SettlementFacts } from "../../modules/crypto-payments/ledger/core-facts"
import type { FinishedSettle, SettleOutcome } from "../../modules/crypto-payments/ledger/settlement-ledger"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { decide, nextCheckAt, toDecisionInput, type Decision } from "../../settlement"

export type SettleTrigger = "notification" | "return" | "schedule" | "admin" | "provider" | "order_placed"

const HOUR_MS = 60 * 60 * 1000
const RETRY_MS = 60_000
/** How long core may take to capture before a person is told; a busy cart lock alone takes half a minute. */
const CAPTURE_GRACE_MS = 2 * 60_000

interface SettleRun {
  ledger: CryptoPaymentsModuleService
  row: CryptoPaymentRequestRow
  trigger: SettleTrigger
  /** Lets core capture and place the order; what came of it is read from the database. */
  capture: (facts: SettlementFacts) => Promise<void>
}

/** One run over a row this process holds the lease of: check, decide, apply, write down, give back. */
export async function settleLeased(run: SettleRun): Promise<FinishedSettle> {
  const { ledger, row: before } = run
  try {
    const finished = await ledger.settlements.finish(before, await settle(run))
    await announce(ledger, before, finished)
    return finished
  } catch (error) {
    await ledger.settlements.releaseLease(before.id, new Date(Date.now() + RETRY_MS))
    throw error
  }
}

async function settle({ ledger, row: before, trigger, capture }: SettleRun): Promise<SettleOutcome> {
  if (before.state === "refunded" || before.settled_at !== null) {
    return { ...unchanged(before), next_check_at: null }
  }
  if (trigger === "notification") {
    await ledger.addActivity(before.id, "notified")
  }
  const { row, failure } = await ledger.checkGateway(before)
  if (row.gateway_status !== before.gateway_status || failure !== before.failure) {
    await ledger.addActivity(row.id, "checked", { trigger, status: row.gateway_status, failure })
  }
  let facts = await readFacts(ledger, row)
  let decision = decide(toDecisionInput(row, failure, facts, new Date()))
  if (decision.kind === "capture" || isPaidWithoutOrder(decision)) {
    await capture(facts)
    facts = await readFacts(ledger, row)
    decision = decide(toDecisionInput(row, failure, facts, new Date()))
  }
  if (decision.kind === "close") {
    await ledger.settlements.close(row.id)
  }
  return toOutcome(decision, row, facts, new Date())
}

async function readFacts(
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow
): Promise<SettlementFacts> {
  const facts = await ledger.readSettlementFacts(row.id)
  if (facts === undefined) {
    throw new Error(`ledger row ${row.id} disappeared while it was settled`)
  }
  return facts
}

/** What is written down for a decision, after core has had its turn. */
function toOutcome(
  decision: Decision,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  now: Date
): SettleOutcome {
  const base = { ...unchanged(row), order_id: facts.order_id ?? row.order_id }
  const capturedAt = row.captured_at ?? now
  const backOff = nextCheckAt(row.paid_at ?? row.created_at, now)
  switch (decision.kind) {
    case "wait":
    case "close":
      return { ...base, attention: null, next_check_at: backOff }
    case "retry":
      return { ...base, next_check_at: nextCheckAt(row.failing_since ?? row.created_at, now) }
    case "done":
      return {
        ...base,
        state: "captured",
        captured_at: capturedAt,
        settled_at: now,
        attention: decision.attention ?? null,
        next_check_at: null,
      }
    case "refunded":
      return {
        ...base,
        state: "refunded",
        captured_at: capturedAt,
        settled_at: now,
        attention: null,
        next_check_at: null,
      }
    case "capture":
      // Core has had its turn and there is no capture: tried again, and told to a person if that lasts.
      return {
        ...base,
        attention: isOlderThan(row.paid_at, CAPTURE_GRACE_MS, now) ? "paid_without_order" : undefined,
        next_check_at: backOff,
      }
    case "attention":
      return attentionOutcome(decision.reason, base, { capturedAt, backOff, now })
  }
}

function attentionOutcome(
  reason: string,
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
    attention: undefined,
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

function isPaidWithoutOrder(decision: Decision): boolean {
  return decision.kind === "attention" && decision.reason === "paid_without_order"
}

function isOlderThan(date: Date | null, ageMs: number, now: Date): boolean {
  return date !== null && now.getTime() - date.getTime() >= ageMs
}
