import { changesNothing, decideTurn, NOTHING_DONE } from "../decision"
import type { GatewayAnswer } from "../modules/crypto-payments/gateway-clients"
import type { DueRow } from "../modules/crypto-payments/payment-requests/queue"
import { withReading, type UnchangedRow } from "../modules/crypto-payments/payment-requests/store"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"

/** How many reads a batch has at the gateway at once. */
const MOST_READS = 5

type RecordedAnswer = Extract<GatewayAnswer, { record: unknown }>

/** A row of a batch that has to be settled by itself, and what the gateway has said of it, if it was asked. */
export interface LeftRow {
  lease: DueRow
  answer: GatewayAnswer | undefined
}

/**
 * Settles the rows of a batch of which nothing has changed, most of any tick: each is read at the gateway, then Medusa is
 * read for all of them in one statement, `decideTurn` decides on each, and one statement writes their next checks.
 *
 * @param rows unpaid
 * @returns those of which something has changed, or could not be read. Nothing was written of them.
 */
export async function settleUnchanged(
  ledger: CryptoPaymentsModuleService,
  rows: readonly DueRow[]
): Promise<LeftRow[]> {
  const answers = new Map<string, GatewayAnswer>()
  const settled = new Set<string>()
  const { runningSettles } = ledger
  rows.forEach((row) => runningSettles.begin(row))
  try {
    await ask(ledger, rows, answers)
    const unchanged = await listUnchanged(ledger, rows, answers)
    const written = await ledger.requests.finishUnchanged(unchanged)
    written.forEach((id) => settled.add(id))
  } catch {
    // One row may be the cause. It is found, and told of, when each is settled by itself.
  } finally {
    rows.forEach((row) => {
      runningSettles.end(row)
    })
  }
  return rows.filter(({ id }) => !settled.has(id)).map((lease) => ({ lease, answer: answers.get(lease.id) }))
}

async function ask(
  { gateways }: CryptoPaymentsModuleService,
  rows: readonly DueRow[],
  answers: Map<string, GatewayAnswer>
): Promise<void> {
  const left = rows.values()
  const readers = Array.from({ length: MOST_READS }, async () => {
    for (const row of left) {
      answers.set(row.id, await gateways.ask(row, "settling"))
    }
  })
  await Promise.all(readers)
}

async function listUnchanged(
  ledger: CryptoPaymentsModuleService,
  rows: readonly DueRow[],
  answers: ReadonlyMap<string, GatewayAnswer>
): Promise<UnchangedRow[]> {
  const read = rows.flatMap((lease) => {
    const answer = answers.get(lease.id)
    return isAsBefore(lease, answer) ? [{ lease, read: answer.record }] : []
  })
  const factsById = await ledger.facts.readAll(read.map(({ lease }) => lease.id))
  const unchanged = read.map(async ({ lease, read }): Promise<UnchangedRow[]> => {
    const row = withReading(lease, read)
    const facts = factsById.get(row.id)
    if (facts === undefined) {
      return []
    }
    const unpaidOrderTtlMs = await ledger.settings.unpaidOrderTtlMs(row.provider_id)
    const input = { row, failure: null, facts, unpaidOrderTtlMs, isAskedByPerson: false, done: NOTHING_DONE }
    const { act, outcome } = decideTurn(input)
    const { nextCheckAt } = outcome
    return act === null && changesNothing(outcome, row, facts) ? [{ lease, read, nextCheckAt }] : []
  })
  return (await Promise.all(unchanged)).flat()
}

/** Whether the gateway has the row, in the same status as before, which is not PAID, and all that it says can be kept. */
function isAsBefore(row: DueRow, answer: GatewayAnswer | undefined): answer is RecordedAnswer {
  return (
    answer !== undefined &&
    "record" in answer &&
    answer.move === null &&
    answer.record.paymentStatus !== "PAID" &&
    answer.record.paymentStatusReceived === row.gateway_status &&
    answer.record.ignoredFields.length === 0
  )
}
