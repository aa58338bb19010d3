import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { waitAtMost } from "../modules/crypto-payments/wait-at-most"
import { settlePaymentRequest, type SettleTrigger } from "./settle-payment-request"
import { SettleQueue, type Failed, type TurnEnd } from "./settle-queue"

/** With more, a process would wait for the database connections that settling holds. */
const SETTLES_AT_ONCE = 5
/** The settles that visitors cause by returning leave room for those of payments that are known to be made. */
const RETURNS_AT_ONCE = 2
const MOST_WAITING = 1000
const MOST_TIMERS = 1000
/** As long as a settle's lease: after that another settle may have the row, and this one is not waited for. */
const SETTLE_MS = 2 * 60_000

/** The one queue of this process. */
export const settleQueue = new SettleQueue(
  {
    atOnce: SETTLES_AT_ONCE,
    returnsAtOnce: RETURNS_AT_ONCE,
    mostWaiting: MOST_WAITING,
    mostTimers: MOST_TIMERS,
  },
  trySettle
)

/**
 * Settles a row that is due, in the turn of this process. Whatever goes wrong is logged: the row stays due.
 *
 * @param by the admin user or API key that asked
 * @returns ends with that settle; at once when the queue is full or the row waits already, unless an admin user asks
 */
export async function settleInTurn(
  container: MedusaContainer,
  id: string,
  trigger: SettleTrigger,
  by?: string
): Promise<TurnEnd> {
  return await settleQueue.add(container, id, trigger, by)
}

async function emptyQueue(): Promise<void> {
  await settleQueue.empty()
}

async function trySettle(
  container: MedusaContainer,
  id: string,
  trigger: SettleTrigger,
  by?: string
): Promise<number | null | Failed> {
  try {
    const ledger = resolveLedger(container)
    ledger.runningSettles.beforeStop(emptyQueue)
    if (ledger.runningSettles.isStopping) {
      await ledger.runningSettles.finish(async () => {
        await ledger.checks.handOver(id)
      })
      return null
    }
    const settled = settlePaymentRequest(container, { id, trigger, ...(by === undefined ? {} : { by }) })
    return await waitAtMost(SETTLE_MS, settled)
  } catch (error) {
    const failed = describeError(error)
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(`crypto payment ${id}: settling (${trigger}) failed (${failed}), it is tried again`)
    return { failed }
  }
}
