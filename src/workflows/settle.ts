import type { MedusaContainer } from "@medusajs/framework/types"
import { changesNothing, decideTurn, isSettlingStuck, type Progress } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../modules/crypto-payments/models/crypto-payment-request"
import { LeaseLost, type LeasedRow } from "../modules/crypto-payments/payment-requests/leases"
import type { DueRow } from "../modules/crypto-payments/payment-requests/queue"
import type { SettleTrigger } from "../modules/crypto-payments/payment-requests/request-sql"
import { columnsOf, type UnchangedRow } from "../modules/crypto-payments/payment-requests/store"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { SETTLE_ACTS } from "./core/settle-acts"
import { warn } from "./core/settling"

/** Who asks for a settle; for `admin`, which user or API key. */
export interface Asked {
  trigger: SettleTrigger
  by?: string
}

export interface SettleEnd {
  /** In how many milliseconds the row is due, by the database's clock; null when nothing is to be done, or not here. */
  dueInMs: number | null
  /** The capture or the order still waits for a lock, or for what core may be doing. */
  isBlocked?: boolean
  /** The kind of its error. */
  failed?: string
}

type ReadRow = Pick<UnchangedRow, "lease" | "read">

/** Parallel reads of a batch. `gateway/pools.ts` has as many connections for them. */
const MOST_READS = 5
/** The reads of a batch that was leased end before its leases do. */
const READ_MS = 20_000
/** Two tries to capture, one to book, one to verify. */
const MOST_ACTS = 4

/**
 * Brings one payment request up to date: reads the gateway, then Medusa, decides, acts, and reads again, until nothing
 * is left to do; then writes the outcome, once. Every write requires the row's lease, so only one settle per request
 * runs across all processes. A settle that loses its lease ends without a result.
 */
export async function settle(container: MedusaContainer, lease: LeasedRow, asked: Asked): Promise<SettleEnd> {
  const ledger = resolveLedger(container)
  return await ledger.runningSettles.finish(async () => {
    try {
      return await ledger.leases.hold(lease, async () => await settleHeld(container, lease, asked))
    } catch (error) {
      if (error instanceof LeaseLost) {
        warn(container, `crypto payment ${lease.id}: another settle has taken it over`)
        return { dueInMs: null }
      }
      return { dueInMs: await releaseFailed(container, ledger, lease), failed: describeError(error) }
    }
  })
}

/** Does not rely on what acts report: core reports success for a cart it could not complete. So it reads again. */
async function settleHeld(container: MedusaContainer, lease: LeasedRow, asked: Asked): Promise<SettleEnd> {
  const ledger = resolveLedger(container)
  // The end of the lease is by the database's clock, as `paid_at` is: half a minute ahead, which matters little.
  if (isSettlingStuck(lease, lease.lease_until ?? new Date())) {
    await ledger.cases.open(lease.id, "settle_fails", {}, lease)
  }
  const row = await checkAndNote(ledger, lease, asked)
  const isAskedByAdmin = asked.trigger === "admin"
  let done: Progress = {}
  for (let count = 0; ; count++) {
    const facts = await ledger.facts.read(lease.id)
    const { act, outcome, isBlocked } = decideTurn({ row, facts, isAskedByAdmin, done })
    if (act === null || count === MOST_ACTS) {
      const finished = await ledger.requests.finish(lease, row, outcome)
      await ledger.announcements.send(finished)
      const dueAt = finished.next_check_at
      const dueInMs = dueAt === null ? null : dueAt.getTime() - facts.database_now.getTime()
      return { dueInMs, isBlocked }
    }
    if (count === 0 && ledger.runningSettles.isStopping) {
      // The row stays due: another process settles it, or this one after its restart.
      await ledger.leases.release(lease)
      return { dueInMs: null, isBlocked: true }
    }
    if (!(await ledger.leases.extend(lease))) {
      throw new LeaseLost()
    }
    done = { ...done, [act]: await SETTLE_ACTS[act]({ container, ledger, lease, row, facts }, done) }
  }
}

async function checkAndNote(
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow,
  asked: Asked
): Promise<CryptoPaymentRequestRow> {
  // A visitor's completion must not use up the connections of the schedule.
  const row = await ledger.gateways.check(lease, asked.trigger === "provider" ? "shop" : "settling", lease)
  const { gateway_status: status, failure } = row
  if (status !== lease.gateway_status || failure !== lease.failure) {
    await ledger.requests.addActivity(row.id, "checked", { ...asked, status, failure })
  }
  return row
}

/** If the database fails too, the lease ends by itself. @returns milliseconds until the row is due, if known */
async function releaseFailed(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow
): Promise<number | null> {
  try {
    return await ledger.leases.releaseFailed(lease)
  } catch (error) {
    warn(container, `crypto payment ${lease.id}: it is settled again when its lease has ended`, error)
    return null
  }
}

/**
 * Settles a batch of rows, most of which have not changed: reads each at the gateway, reads Medusa for all of them
 * together, lets `decideTurn` decide on each, and writes their next checks in one statement. Changed rows are
 * released: they are due, but not routine rows any more, so they are settled one by one.
 *
 * @param rows routine rows that are leased
 */
export async function settleUnchanged(container: MedusaContainer, rows: readonly DueRow[]): Promise<void> {
  const ledger = resolveLedger(container)
  let written = new Set<string>()
  await ledger.runningSettles.finish(async () => {
    try {
      const unchanged = await listUnchanged(ledger, await readAtGateway(ledger, rows))
      written = new Set(await ledger.requests.finishUnchanged(unchanged))
    } catch (error) {
      warn(container, "crypto payments: a batch of due rows is settled one by one", error)
    }
    const left = rows.filter(({ id }) => !written.has(id))
    await Promise.allSettled(left.map(async (row) => await ledger.leases.release(row)))
  })
}

/** @returns the rows that are as unpaid as before. A failed read fails again when its row is settled. */
async function readAtGateway(
  { gateways, runningSettles }: CryptoPaymentsModuleService,
  rows: readonly DueRow[]
): Promise<ReadRow[]> {
  const left = rows.values()
  const endsAt = performance.now() + READ_MS
  const unpaid: ReadRow[] = []
  const readers = Array.from({ length: MOST_READS }, async () => {
    for (const lease of left) {
      if (runningSettles.isStopping || performance.now() > endsAt) {
        return
      }
      const answer = await gateways.read(lease, "settling")
      if (!("record" in answer)) {
        continue
      }
      // Not PAID, and the same word as before.
      const { paymentStatus, paymentStatusReceived: word } = answer.record
      if (paymentStatus !== "PAID" && word === lease.gateway_status) {
        unpaid.push({ lease, read: answer.record })
      }
    }
  })
  await Promise.allSettled(readers)
  return unpaid
}

async function listUnchanged(
  ledger: CryptoPaymentsModuleService,
  unpaid: readonly ReadRow[]
): Promise<UnchangedRow[]> {
  const factsById = await ledger.facts.readAll(unpaid.map(({ lease }) => lease.id))
  return unpaid.flatMap(({ lease, read }) => {
    const row = { ...lease, ...columnsOf(read) }
    const facts = factsById.get(row.id)
    if (facts === undefined) {
      return []
    }
    const { act, outcome } = decideTurn({ row, facts, isAskedByAdmin: false, done: {} })
    const isUnchanged = act === null && changesNothing(outcome, row)
    return isUnchanged ? [{ lease, read, nextCheckAt: outcome.nextCheckAt }] : []
  })
}
