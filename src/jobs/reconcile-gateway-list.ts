import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { isPaused } from "../modules/crypto-payments/paused"
import { reconcileGatewayList } from "../workflows"

/**
 * Compares the gateway's list with the rows every night: this also finds a request whose creation got no answer. A long
 * list takes hours, so the job only begins it: with Medusa's Redis engine, a job that lasts holds up all jobs.
 */
export default async function reconcileAtNight(container: MedusaContainer): Promise<void> {
  if (isPaused()) {
    return
  }
  void compareLists(container, await resolveLedger(container).settings.listConfigured())
}

async function compareLists(container: MedusaContainer, providerIds: string[]): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  for (const provider_id of providerIds) {
    const about = `crypto payments ${provider_id}: the gateway's list`
    let why: string
    try {
      const started_by = { type: "schedule" } as const
      const report = await reconcileGatewayList(container, { provider_id, started_by })
      const { counts, complete, gateway_problem } = report
      if (gateway_problem === null) {
        const isClean = complete && counts.unreadable + counts.paid_and_unknown === 0
        logger[isClean ? "info" : "warn"](
          `${about} was compared, ${complete ? "complete" : "not complete"}: ${JSON.stringify(counts)}`
        )
        continue
      }
      why = gateway_problem.problem
    } catch (error) {
      why = describeError(error)
    }
    logger.error(`${about} could not be compared (${why}); tried again tomorrow`)
  }
}

export const config = {
  name: "reconcile-gateway-list",
  schedule: "17 3 * * *",
}
