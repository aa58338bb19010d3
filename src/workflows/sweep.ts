import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { type Window, WINDOWS } from "../modules/crypto-payments/checks/windows"
import { describeError } from "../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { waitAtMost } from "../modules/crypto-payments/waiting"
import { registerRefund } from "./register-refund"
import { offerMarkAsPaid } from "./core/offer-mark-as-paid"
import { warn } from "./core/settling"

const MOST_A_TICK = 100
/** Medusa runs no tick before the last one has ended. */
const SWEEP_MS = 30_000

/**
 * Finds from stored state what lost events would have reported: looks over the windows of `checks`, sends what
 * was not sent, and registers unbooked refunds again. A sweep that fails or hangs does not stop the others; the
 * next tick tries again.
 *
 * One that took too long goes on while the others run, as those of other processes do: each row is claimed in one
 * statement, or is worked on under its cart's lock or its lease, and an event that is sent twice has the same id.
 */
export async function sweep(container: MedusaContainer): Promise<void> {
  const ledger = resolveLedger(container)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const sweeps: [name: string, run: () => Promise<void>][] = [
    ["announcements", async () => await ledger.announcements.sendLeft(MOST_A_TICK)],
    ["placed_orders", async () => await ledger.announcements.sendLostOrders(MOST_A_TICK)],
    ["refunds", async () => await finishRefunds(container, ledger)],
  ]
  for (const window of WINDOWS) {
    sweeps.push([window.name, async () => await sweepWindow(container, window)])
  }
  const { runningSettles } = ledger
  for (const [name, run] of sweeps) {
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

async function sweepWindow(container: MedusaContainer, window: Window): Promise<void> {
  const { sweeps, requests } = resolveLedger(container)
  for (const id of (await sweeps.sweep(window)).awaiting) {
    try {
      await offerMarkAsPaid(container, await requests.require(id))
    } catch (error) {
      warn(container, `crypto payment ${id}: its order cannot be marked as paid yet`, error)
    }
  }
}

/** Registering a refund again finishes it. While its order is edited, that is refused and tried again later. */
async function finishRefunds(container: MedusaContainer, ledger: CryptoPaymentsModuleService): Promise<void> {
  for (const refund of await ledger.refunds.takeInterrupted(MOST_A_TICK)) {
    try {
      await registerRefund(container, refund)
    } catch (error) {
      warn(container, `crypto payment ${refund.request_id}: a registered refund is not booked yet`, error)
    }
  }
}
