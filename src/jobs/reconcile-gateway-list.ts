import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError, isConflict } from "../modules/crypto-payments/errors"
import { isPaused } from "../modules/crypto-payments/paused"
import { reconcileGatewayList } from "../workflows"

/** Before the audit. */
const AT_NIGHT_HOUR = 3

/**
 * Compares the gateway's list with the rows every night, and hourly after a night that was missed or failed: this also
 * finds a request whose creation got no answer. A long list takes hours, so the job only begins it: with Medusa's Redis
 * engine, a job that lasts holds up all jobs.
 */
export default async function reconcileAtNight(container: MedusaContainer): Promise<void> {
  if (isPaused()) {
    return
  }
  const { settings, reconciliations } = resolveLedger(container)
  const configured = await settings.listConfigured()
  const isNight = new Date().getHours() === AT_NIGHT_HOUR
  void compareLists(container, isNight ? configured : await reconciliations.listDue(configured))
}

async function compareLists(container: MedusaContainer, providerIds: string[]): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  for (const provider_id of providerIds) {
    const about = `crypto payments ${provider_id}: the gateway's list`
    try {
      const { counts, complete, gateway_problem } = await reconcileGatewayList(container, { provider_id })
      if (gateway_problem !== null) {
        logger.error(`${about} could not be compared (${gateway_problem.problem})`)
        continue
      }
      const isClean = complete && counts.unreadable + counts.paid_and_unknown === 0
      logger[isClean ? "info" : "warn"](
        `${about} was compared, ${complete ? "complete" : "not complete"}: ${JSON.stringify(counts)}`
      )
    } catch (error) {
      // Otherwise another process compares it, or a user.
      if (!isConflict(error)) {
        logger.error(`${about} could not be compared (${describeError(error)})`)
      }
    }
  }
}

export const config = {
  name: "reconcile-gateway-list",
  schedule: "17 * * * *",
}
