import type { MedusaContainer, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError, isConflict } from "../modules/crypto-payments/errors"
import { isPaused } from "../modules/crypto-payments/paused"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"

/** After the comparison with the gateway's list. */
const AT_NIGHT_HOUR = 3

/**
 * Begins nightly, and within an hour after a missed night or an upgrade. It does not wait for the end: with Medusa's
 * Redis engine, a job that lasts holds up all jobs. The log and the event report the findings. A paused store reports
 * nothing.
 */
export default async function auditAtNight(container: MedusaContainer): Promise<void> {
  if (isPaused()) {
    return
  }
  const { audits } = resolveLedger(container)
  if (new Date().getHours() === AT_NIGHT_HOUR || (await audits.isDue())) {
    void audit(audits, container.resolve(ContainerRegistrationKeys.LOGGER))
  }
}

async function audit(audits: CryptoPaymentsModuleService["audits"], logger: Logger): Promise<void> {
  try {
    const { checked, found, findings, incomplete } = await audits.run()
    const rules = [...new Set(findings.map(({ rule }) => rule))]
    logger[found + incomplete.length === 0 ? "info" : "warn"](
      `crypto payments: audited ${JSON.stringify({ ...checked, found, rules, incomplete })}`
    )
  } catch (error) {
    if (!isConflict(error)) {
      logger.error(`crypto payments: the audit ended early (${describeError(error)})`)
    }
  }
}

export const config = {
  name: "audit-crypto-payments",
  schedule: "47 * * * *",
}
