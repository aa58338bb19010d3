import { decideTurn, NOTHING_DONE, type Act, type Outcome, type Progress } from "../decision"
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

/** Two tries to capture, one to book, one to verify. */
const MOST_ACTS = 4

/**
 * Brings one payment request up to date: read, decide, act, and read again, until nothing is left to do; then the
 * outcome is written, once.
 *
 * The loop does not rely on what an act reports. Core reports success for a cart it could not complete, so after each
 * act everything is read and decided again.
 */
export async function settle(effects: SettleEffects): Promise<Settled> {
  const { row, failure } = await effects.check()
  const { unpaidOrderTtlMs, isAskedByPerson } = effects
  let done = NOTHING_DONE
  for (let acts = 0; ; acts++) {
    const facts = await effects.readFacts()
    const { act, outcome } = decideTurn({ row, failure, facts, unpaidOrderTtlMs, isAskedByPerson, done })
    if (act === null || acts === MOST_ACTS) {
      const finished = await effects.finish(row, outcome)
      const dueAt = finished.row.next_check_at
      return { ...finished, dueInMs: dueAt === null ? null : dueAt.getTime() - facts.database_now.getTime() }
    }
    await effects.extendLease()
    done = await effects.acts[act](row, facts, done)
  }
}
