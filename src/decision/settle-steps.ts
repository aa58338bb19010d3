import { decideTurn, NOTHING_DONE, type Act, type Progress } from "./decide-turn"
import type { DecidedFacts, DecidedRow } from "./decision-input"
import type { Outcome } from "./outcome"
import type { ReadFailure } from "./read-failure"

/** What a settle knows once it has read the gateway. */
interface Known<Row> {
  row: Row
  failure: ReadFailure | null
  done: Progress
  /** How many acts it has begun. */
  acts: number
}

/**
 * The state of a settle, and what it needs next. It is data, so that `integration-tests/model` can stop a settle
 * between any two of its steps.
 *
 * - `facts`: read what Medusa has
 * - `lease`: hold the row for another two minutes
 * - `act`: do this in Medusa
 * - `finish`: write the outcome and give the row back
 */
export type SettleStep<Row extends DecidedRow, Facts extends DecidedFacts> =
  | (Known<Row> & { wants: "facts" })
  | (Known<Row> & { wants: "lease" | "act"; act: Act; facts: Facts })
  | { wants: "finish"; row: Row; outcome: Outcome; decidedAt: Date }

export type ActStep<Row extends DecidedRow, Facts extends DecidedFacts> = Extract<
  SettleStep<Row, Facts>,
  { wants: "lease" | "act" }
>

interface SettlePolicy {
  unpaidOrderTtlMs: number | null
  isAskedByPerson: boolean
}

/** Two tries to capture, one to book, one to remove what was booked twice, one to verify. */
const MOST_ACTS = 5

/** The gateway was read, and the row has what it said. */
export function afterCheck<Row extends DecidedRow>({
  row,
  failure,
}: Pick<Known<Row>, "row" | "failure">): SettleStep<Row, never> {
  return { wants: "facts", row, failure, done: NOTHING_DONE, acts: 0 }
}

/** Medusa was read: decides whether to act or to end. */
export function afterFacts<Row extends DecidedRow, Facts extends DecidedFacts>(
  { row, failure, done, acts }: Known<Row>,
  facts: Facts,
  { unpaidOrderTtlMs, isAskedByPerson }: SettlePolicy
): SettleStep<Row, Facts> {
  const { act, outcome } = decideTurn({ row, failure, facts, unpaidOrderTtlMs, isAskedByPerson, done })
  return act === null || acts >= MOST_ACTS
    ? { wants: "finish", row, outcome, decidedAt: facts.database_now }
    : { wants: "lease", row, failure, done, acts: acts + 1, act, facts }
}

/** The lease was extended. */
export function afterLease<Row extends DecidedRow, Facts extends DecidedFacts>(
  step: ActStep<Row, Facts>
): SettleStep<Row, Facts> {
  return { ...step, wants: "act" }
}

/** What an act reports is not trusted: everything is read and decided again. */
export function afterAct<Row extends DecidedRow>(
  { row, failure, acts }: Known<Row>,
  done: Progress
): SettleStep<Row, never> {
  return { wants: "facts", row, failure, done, acts }
}
