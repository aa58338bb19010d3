import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { decideTurn, isSettlingStuck, NOTHING_DONE } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type { CheckedRow } from "../modules/crypto-payments/gateway-clients"
import type { LeasedRow } from "../modules/crypto-payments/payment-requests/queue"
import type { SettleTrigger } from "../modules/crypto-payments/payment-requests/request-sql"
import { SettleStopped } from "../modules/crypto-payments/payment-requests/running-settles"
import { LeaseLost } from "../modules/crypto-payments/payment-requests/store"
import type Ledger from "../modules/crypto-payments/service"
import { SETTLE_ACTS } from "./core/settle-acts"

/** Who asks for a settle; for `admin`, which user or API key. */
export interface Asked {
  trigger: SettleTrigger
  by?: string
}

export interface SettleEnd {
  /** In how many milliseconds the row is due, by the database's clock; null when nothing is to be done, or not here. */
  dueInMs: number | null
  /** The kind of its error. */
  failed?: string
}

/** Two tries to capture, one to book, one to verify. */
const MOST_ACTS = 4

/**
 * Brings one payment request up to date: reads the gateway, then Medusa, decides, acts, and reads again, until nothing
 * is left to do; then writes the outcome, once. Every write requires the row's lease, so only one settle per request
 * runs across all processes. A settle that loses its lease ends without a result.
 */
export async function settle(container: MedusaContainer, lease: LeasedRow, asked: Asked): Promise<SettleEnd> {
  const ledger = resolveLedger(container)
  const { runningSettles } = ledger
  if (!runningSettles.begin(lease)) {
    await runningSettles.finish(async () => {
      await ledger.checks.handOver([lease])
    })
    return { dueInMs: null }
  }
  try {
    return { dueInMs: await settleHeld(container, lease, asked) }
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    if (error instanceof SettleStopped || (error instanceof LeaseLost && runningSettles.isStopping)) {
      // The orderly stop has released the row.
      logger.info(`crypto payment ${lease.id}: the store is stopping, another process settles it`)
      return { dueInMs: null }
    }
    if (error instanceof LeaseLost) {
      logger.warn(`crypto payment ${lease.id}: another settle has taken it over`)
      return { dueInMs: null }
    }
    return { dueInMs: await releaseFailed(ledger, lease, logger), failed: describeError(error) }
  } finally {
    runningSettles.end(lease)
  }
}

/** Does not rely on what acts report: core reports success for a cart it could not complete. So it reads again. */
async function settleHeld(
  container: MedusaContainer,
  lease: LeasedRow,
  asked: Asked
): Promise<number | null> {
  const ledger = resolveLedger(container)
  // The end of the lease is by the database's clock, as `paid_at` is: two minutes ahead, which matters little.
  if (isSettlingStuck(lease, lease.lease_until ?? new Date())) {
    await ledger.requests.openCase(lease.id, "settle_fails", {}, lease)
  }
  const { row, failure } = await checkAndNote(ledger, lease, asked)
  const unpaidOrderTtlMs = await ledger.settings.unpaidOrderTtlMs(lease.provider_id)
  const isAskedByPerson = asked.trigger === "admin"
  let done = NOTHING_DONE
  for (let count = 0; ; count++) {
    const facts = await ledger.facts.read(lease.id)
    const { act, outcome } = decideTurn({ row, failure, facts, unpaidOrderTtlMs, isAskedByPerson, done })
    if (act === null || count === MOST_ACTS) {
      const finished = await ledger.requests.finish(lease, row, outcome)
      await ledger.announcements.send(finished)
      const dueAt = finished.next_check_at
      return dueAt === null ? null : dueAt.getTime() - facts.database_now.getTime()
    }
    ledger.runningSettles.enterCore(lease)
    if (!(await ledger.queue.extendLease(lease))) {
      throw new LeaseLost()
    }
    done = await SETTLE_ACTS[act]({ container, ledger, lease, row, facts }, done)
  }
}

async function checkAndNote(ledger: Ledger, lease: LeasedRow, asked: Asked): Promise<CheckedRow> {
  const checked = await ledger.gateways.check(lease, lease)
  const { failure } = checked
  const { paid_at, paid_session_id } = checked.row
  const isUnclaimed = paid_at !== null && paid_session_id === null
  const row = (isUnclaimed ? await ledger.requests.claimFromCore(lease) : undefined) ?? checked.row
  if (row.gateway_status !== lease.gateway_status || failure !== lease.failure) {
    await ledger.requests.addActivity(row.id, "checked", { ...asked, status: row.gateway_status, failure })
  }
  return { row, failure }
}

/** If the database failed, the row is released once it answers. @returns milliseconds until it is due, if known */
async function releaseFailed(ledger: Ledger, lease: LeasedRow, logger: Logger): Promise<number | null> {
  try {
    return await ledger.queue.releaseFailed(lease)
  } catch (error) {
    logger.warn(`crypto payment ${lease.id}: its row is given back later (${describeError(error)})`)
    ledger.runningSettles.retry(async () => {
      await ledger.queue.releaseNow(lease)
      await ledger.checks.wakeWorkers()
    })
    return null
  }
}
