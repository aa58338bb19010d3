import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { FinishedSettle, SettleOutcome } from "../../modules/crypto-payments/payment-requests/store"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { decide, toDecisionInput, type Decision } from "../../decision"
import { isCaptureCutOff } from "./book-capture"
import { toOutcome, unchanged } from "./outcome"

/**
 * Who asked for a settle. It is written into the timeline and never decides what becomes paid. `admin` and `provider`
 * have a row settled now; the others only while it is due, so that of several who saw it due one settles it.
 */
export type SettleTrigger = "notification" | "schedule" | "admin" | "provider" | "order_changed"

const RETRY_MS = 60_000

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
  /**
   * Does the work under the lock that core completes a cart under, and gives back last, also when it takes everything
   * back. @returns undefined when the cart did not become free in time
   */
  whileCartIsFree: <T>(cartId: string, work: () => Promise<T>) => Promise<{ result: T } | undefined>
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
    await ledger.settlements.releaseBroken(before, new Date(Date.now() + RETRY_MS))
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
    facts = settled?.result ?? facts
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
  return { row, outcome: toOutcome(decision, row, facts, { now: new Date(), unpaidOrderTtlMs: ttlMs }) }
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
