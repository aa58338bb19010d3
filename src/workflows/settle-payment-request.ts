import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { isSettlingStuck } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type { CheckedRow } from "../modules/crypto-payments/gateway-clients"
import type { LeasedRow } from "../modules/crypto-payments/payment-requests/queue"
import { SettleStopped } from "../modules/crypto-payments/payment-requests/running-settles"
import { LeaseLost } from "../modules/crypto-payments/payment-requests/store"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settleActs } from "./core/settle-acts"
import { settle, type Settled } from "./settle"

/**
 * Who asked for a settle. It is written to the timeline and never decides what becomes paid. `admin` and `provider`
 * have a row settled now. The others only have it settled while it is due, so that of several that saw it due one
 * settles it.
 */
export type SettleTrigger = "notification" | "return" | "schedule" | "admin" | "provider" | "order_changed"

/** Which payment request to settle, and who asks. An id that is not known is a MedusaError (404). */
export interface SettleRequestInput {
  /** The id of the row, `cpreq_…`. */
  id: string
  trigger: SettleTrigger
  /** Of `admin`: the user or API key that asked. */
  by?: string
}

type Asked = Omit<SettleRequestInput, "id">

const NOW_TRIGGERS: readonly SettleTrigger[] = ["admin", "provider"]
/** How often a settle that is asked for again while it runs looks again. After that the next tick does. */
const MAX_RUNS = 3

/**
 * Brings one payment request up to date. A notification, the payer's return, the schedule and the admin's button all
 * call this: it reads the gateway, decides, lets core capture and place the order, and writes the outcome. At most one
 * settle per request at a time, across all processes.
 *
 * @returns in how many milliseconds the row is due again; null when nothing was settled, or no time is known
 */
export async function settlePaymentRequest(
  container: MedusaContainer,
  { id, ...asked }: SettleRequestInput
): Promise<number | null> {
  const ledger = resolveLedger(container)
  await ledger.requests.require(id)
  let dueInMs: number | null = null
  for (let run = 0; run < MAX_RUNS; run++) {
    const lease = await ledger.runningSettles.finish(async () => await begin(ledger, id, asked))
    if (lease === undefined) {
      break
    }
    const settled = await runUnderLease(container, ledger, lease, asked)
    dueInMs = settled?.dueInMs ?? null
    if (settled?.isDueAgain !== true) {
      break
    }
  }
  return dueInMs
}

/** @returns undefined when there is nothing to do, or this process is about to end and another one settles the row */
async function begin(
  ledger: CryptoPaymentsModuleService,
  id: string,
  { trigger }: Asked
): Promise<LeasedRow | undefined> {
  if (ledger.runningSettles.isStopping) {
    await ledger.checks.handOver(id)
    return undefined
  }
  const lease = NOW_TRIGGERS.includes(trigger)
    ? await ledger.queue.lease(id)
    : await ledger.queue.leaseDue(id)
  if (lease === undefined || ledger.runningSettles.begin(lease)) {
    return lease
  }
  await ledger.checks.handOverLeased(lease)
  return undefined
}

async function runUnderLease(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow,
  asked: Asked
): Promise<Settled | undefined> {
  try {
    if (isSettlingStuck(lease, new Date())) {
      await ledger.requests.openCase(lease.id, "settle_fails", {}, lease)
    }
    const settled = await settle({
      check: async () => await checkAndNote(ledger, lease, asked),
      readFacts: async () => await ledger.facts.read(lease.id),
      unpaidOrderTtlMs: await ledger.settings.unpaidOrderTtlMs(lease.provider_id),
      isAskedByPerson: asked.trigger === "admin",
      extendLease: async () => {
        ledger.runningSettles.enterCore(lease)
        if (!(await ledger.queue.extendLease(lease))) {
          throw new LeaseLost()
        }
      },
      acts: settleActs(container, ledger, lease),
      finish: async (row, outcome) => await ledger.requests.finish(lease, row, outcome),
    })
    await ledger.announcements.send(settled.row)
    return settled
  } catch (error) {
    await giveBack(container, ledger, lease, error)
    return undefined
  } finally {
    ledger.runningSettles.end(lease)
  }
}

async function checkAndNote(
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow,
  { trigger, by }: Asked
): Promise<CheckedRow> {
  const checked = await ledger.gateways.check(lease, lease)
  const { row, failure } = checked
  if (row.gateway_status !== lease.gateway_status || failure !== lease.failure) {
    await ledger.requests.addActivity(row.id, "checked", {
      trigger,
      status: row.gateway_status,
      failure,
      ...(by === undefined ? {} : { by }),
    })
  }
  return checked
}

/** @throws what stopped the settle, unless another settle has the row now */
async function giveBack(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow,
  error: unknown
): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  if (error instanceof SettleStopped || (error instanceof LeaseLost && ledger.runningSettles.isStopping)) {
    // The orderly stop has given the row back.
    logger.info(`crypto payment ${lease.id}: the store is stopping, another process settles it`)
    return
  }
  if (error instanceof LeaseLost) {
    logger.warn(`crypto payment ${lease.id}: another settle has taken it over`)
    return
  }
  await releaseFailed(container, ledger, lease)
  throw error
}

/** The database may be what failed. Then the row is given back as soon as it answers, while the lease lasts. */
async function releaseFailed(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow
): Promise<void> {
  try {
    await ledger.queue.releaseFailed(lease)
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(`crypto payment ${lease.id}: its row is given back later (${describeError(error)})`)
    ledger.runningSettles.retry(async () => {
      await ledger.queue.releaseNow(lease)
    })
  }
}
