import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type Ledger from "../modules/crypto-payments/service"
import { waitAtMost } from "../modules/crypto-payments/waiting"
import { registerRefund } from "./register-refund"
import { warn } from "./core/settling"

const MOST_A_TICK = 100
/** Medusa runs no tick before the last one has ended. */
const SWEEP_MS = 30_000

/**
 * Finds from stored state what lost events would have reported: unsent announcements; orders without a received
 * `order.placed`; payments whose order was cancelled, is gone or was paid again; links of cancelled or paid orders;
 * cases with an outdated amount; unbooked refunds; rows that nobody would check again. A sweep that fails or hangs does
 * not stop the others; the next tick tries again.
 *
 * One that took too long goes on while the others run, as those of other processes do: each row is claimed in one
 * statement, or is worked on under its cart's lock or its lease, and an event that is sent twice has the same id.
 */
export async function sweep(container: MedusaContainer): Promise<void> {
  const ledger = resolveLedger(container)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const warnOf = ({ length }: string[], what: string): void => {
    if (length > 0) {
      logger.warn(`crypto payments: ${String(length)} ${what}, looking at them`)
    }
  }
  const sweeps: Record<string, () => Promise<unknown>> = {
    announcements: async () => await ledger.announcements.sendLeft(MOST_A_TICK),
    "audit findings": async () => await ledger.audits.announce(),
    "placed orders": async () => await ledger.announcements.sendLostOrders(MOST_A_TICK),
    "settled payments": async () => {
      const what = "settled payments have lost their order or were paid again"
      warnOf(await ledger.sweeps.makeLostOrdersDue(), what)
    },
    links: async () => await ledger.sweeps.sweepLinks(),
    "cases of changed orders": async () => await ledger.sweeps.makeCasesDue(),
    "forgotten rows": async () => {
      warnOf(await ledger.sweeps.makeForgottenDue(), "payment requests had no next check")
    },
    refunds: async () => await finishRefunds(container, ledger),
  }
  const { runningSettles } = ledger
  for (const [name, run] of Object.entries(sweeps)) {
    if (runningSettles.isStopping) {
      return
    }
    if (runningSettles.sweeps.has(name)) {
      continue
    }
    runningSettles.sweeps.add(name)
    const ended = run().finally(() => runningSettles.sweeps.delete(name))
    try {
      await waitAtMost(SWEEP_MS, ended)
    } catch (error) {
      logger.error(
        `crypto payments: the sweep of ${name} failed (${describeError(error)}), it is tried again`
      )
    }
  }
}

/** Registering a refund again finishes it. While its order is edited, that is refused and tried again later. */
async function finishRefunds(container: MedusaContainer, ledger: Ledger): Promise<void> {
  for (const refund of await ledger.refunds.takeInterrupted(MOST_A_TICK)) {
    try {
      await registerRefund(container, refund)
    } catch (error) {
      warn(container, `crypto payment ${refund.request_id}: a registered refund is not booked yet`, error)
    }
  }
}
