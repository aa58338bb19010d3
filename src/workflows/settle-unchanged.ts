import type { MedusaContainer } from "@medusajs/framework/types"
import { changesNothing, decideTurn, NOTHING_DONE } from "../decision"
import type { DueRow } from "../modules/crypto-payments/payment-requests/queue"
import { withReading, type UnchangedRow } from "../modules/crypto-payments/payment-requests/store"
import type Ledger from "../modules/crypto-payments/service"
import { warn } from "./core/settling"

type ReadRow = Pick<UnchangedRow, "lease" | "read">

/** Parallel reads of a batch. `gateway/pools.ts` has as many connections for them. */
const MOST_READS = 5

/**
 * Settles a batch of rows, most of which have not changed: reads each at the gateway, reads Medusa for all of them in
 * one statement, lets `decideTurn` decide on each, and writes their next checks in one statement. Changed rows are
 * released: they are due, but not routine rows any more, so they are settled one by one.
 *
 * @param rows routine rows that are leased
 * @returns in how many milliseconds the first of them is due again; null when none was written
 */
export async function settleUnchanged(
  container: MedusaContainer,
  ledger: Ledger,
  rows: readonly DueRow[]
): Promise<number | null> {
  const { runningSettles, queue, checks } = ledger
  if (!rows.every((row) => runningSettles.begin(row))) {
    await runningSettles.finish(async () => {
      await checks.handOver(rows)
    })
    return null
  }
  let unchanged: UnchangedRow[] = []
  let written = new Set<string>()
  try {
    unchanged = await listUnchanged(ledger, await readAtGateway(ledger, rows))
    written = new Set(await ledger.requests.finishUnchanged(unchanged))
  } catch (error) {
    warn(container, "crypto payments: a batch of due rows is settled one by one", error)
  } finally {
    await Promise.allSettled(
      rows.filter(({ id }) => !written.has(id)).map(async (row) => await queue.release(row))
    )
    rows.forEach((row) => {
      runningSettles.end(row)
    })
  }
  const dueInMs = unchanged.filter(({ lease }) => written.has(lease.id)).map((row) => row.dueInMs ?? Infinity)
  return dueInMs.length === 0 ? null : Math.min(...dueInMs)
}

/** @returns the rows that are as unpaid as before. A failed read fails again when its row is settled. */
async function readAtGateway({ gateways }: Ledger, rows: readonly DueRow[]): Promise<ReadRow[]> {
  const left = rows.values()
  const unpaid: ReadRow[] = []
  const readers = Array.from({ length: MOST_READS }, async () => {
    for (const lease of left) {
      const answer = await gateways.read(lease, "settling")
      if (!("record" in answer) || answer.move !== null) {
        continue
      }
      // Not PAID, the same word as before, and everything can be stored.
      const { paymentStatus, paymentStatusReceived: word, ignoredFields } = answer.record
      if (paymentStatus !== "PAID" && word === lease.gateway_status && ignoredFields.length === 0) {
        unpaid.push({ lease, read: answer.record })
      }
    }
  })
  await Promise.allSettled(readers)
  return unpaid
}

async function listUnchanged(ledger: Ledger, unpaid: readonly ReadRow[]): Promise<UnchangedRow[]> {
  const factsById = await ledger.facts.readAll(unpaid.map(({ lease }) => lease.id))
  const unchanged: UnchangedRow[] = []
  for (const { lease, read } of unpaid) {
    const row = withReading(lease, read)
    const facts = factsById.get(row.id)
    const unpaidOrderTtlMs = await ledger.settings.unpaidOrderTtlMs(row.provider_id)
    if (facts !== undefined) {
      const about = { row, failure: null, facts, unpaidOrderTtlMs }
      const { act, outcome } = decideTurn({ ...about, isAskedByPerson: false, done: NOTHING_DONE })
      if (act === null && changesNothing(outcome, row, facts)) {
        const { nextCheckAt } = outcome
        const dueInMs = nextCheckAt && nextCheckAt.getTime() - facts.database_now.getTime()
        unchanged.push({ lease, read, nextCheckAt, dueInMs })
      }
    }
  }
  return unchanged
}
