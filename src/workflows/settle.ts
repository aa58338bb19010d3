import {
  afterAct,
  afterCheck,
  afterFacts,
  afterLease,
  type Act,
  type Outcome,
  type Progress,
  type SettleStep,
} from "../decision"
import type { CheckedRow } from "../modules/crypto-payments/gateway-clients"
import type { CryptoPaymentRequestRow } from "../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../modules/crypto-payments/payment-requests/core-facts"
import type { FinishedSettle } from "../modules/crypto-payments/payment-requests/store"

/** What a settle does once in Medusa. It answers with what is done now. */
export type PerformAct = (
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  done: Progress
) => Promise<Progress>

/** What one settle reads and writes. Everything that is written requires the lease of the row. */
export interface SettleEffects {
  /** Reads the gateway, unless PAID is recorded already, and writes down what it said. */
  check: () => Promise<CheckedRow>
  readFacts: () => Promise<SettlementFacts>
  /** How long an order may stay unpaid; null without a limit. */
  unpaidOrderTtlMs: number | null
  isAskedByPerson: boolean
  /** Holds the row for another two minutes. @throws LeaseLost */
  extendLease: () => Promise<void>
  acts: Record<Act, PerformAct>
  /** Writes the outcome and gives the row back. @throws LeaseLost */
  finish: (row: CryptoPaymentRequestRow, outcome: Outcome) => Promise<FinishedSettle>
}

export interface Settled extends FinishedSettle {
  /** In how many milliseconds the row is due, by the database's clock; null when nothing is to be done. */
  dueInMs: number | null
}

type Step = SettleStep<CryptoPaymentRequestRow, SettlementFacts>

/**
 * Brings one payment request up to date: read, decide, act, and read again, until nothing is left to do; then the
 * outcome is written, once. Which step follows which is decided in `decision/settle-steps.ts`; here they are performed.
 *
 * The loop does not rely on what an act reports. Core reports success for a cart it could not complete, so after each
 * act everything is read and decided again.
 */
export async function settle(effects: SettleEffects): Promise<Settled> {
  let step: Step = afterCheck(await effects.check())
  while (step.wants !== "finish") {
    step = await perform(effects, step)
  }
  const finished = await effects.finish(step.row, step.outcome)
  const dueAt = finished.row.next_check_at
  return { ...finished, dueInMs: dueAt === null ? null : dueAt.getTime() - step.decidedAt.getTime() }
}

async function perform(effects: SettleEffects, step: Exclude<Step, { wants: "finish" }>): Promise<Step> {
  switch (step.wants) {
    case "facts":
      return afterFacts(step, await effects.readFacts(), effects)
    case "lease":
      await effects.extendLease()
      return afterLease(step)
    case "act":
      return afterAct(step, await effects.acts[step.act](step.row, step.facts, step.done))
  }
}
