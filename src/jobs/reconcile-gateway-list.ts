import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { reconcileGatewayList } from "../workflows"

const NOT_COMPARED = (why: string): string =>
  `the gateway list could not be compared (${why}); tried again tomorrow`

/**
 * Compares the gateway's list with the rows every night: this also finds a request whose creation got no answer. A long
 * list takes hours, so the job only begins it: with Medusa's Redis engine, a job that lasts holds up all jobs.
 */
export default async function reconcileAtNight(container: MedusaContainer): Promise<void> {
  void compareLists(container, await resolveLedger(container).settings.listConfigured())
}

async function compareLists(container: MedusaContainer, providerIds: string[]): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  for (const provider_id of providerIds) {
    const about = `crypto payments ${provider_id}:`
    try {
      const started_by = { type: "schedule" } as const
      const report = await reconcileGatewayList(container, { provider_id, started_by })
      const { counts, complete, incomplete_because, gateway_problem } = report
      if (gateway_problem !== null) {
        logger.error(`${about} ${NOT_COMPARED(gateway_problem.problem)}`)
        continue
      }
      logger.info(
        `${about} gateway list compared, ${complete ? "complete" : "not complete"}; ${JSON.stringify(counts)}`
      )
      if (!complete) {
        const reasons = incomplete_because.map(({ reason }) => reason).join("; ")
        logger.warn(
          `${about} the gateway's list was not seen to its end (${reasons}); requests that it did not show were not compared`
        )
      }
      for (const [count, problem] of [
        [counts.unreadable, "records of the gateway's list could not be read"],
        [counts.paid_and_unknown, "paid requests belong to no known payment session"],
      ] as const) {
        if (count > 0) {
          logger.warn(
            `${about} ${String(count)} ${problem}; see docs/reconciliation.md of medusa-payment-crypto`
          )
        }
      }
    } catch (error) {
      logger.error(`${about} ${NOT_COMPARED(describeError(error))}`)
    }
  }
}

export const config = {
  name: "reconcile-gateway-list",
  schedule: "17 3 * * *",
}
