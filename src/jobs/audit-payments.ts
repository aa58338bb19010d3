import type { MedusaContainer, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError, isConflict } from "../modules/crypto-payments/errors"

/** After the comparison with the gateway's list. */
const AT_NIGHT_HOUR = 3

/**
 * Begins nightly, and within an hour after a missed night or an upgrade. It does not wait for the end: with Medusa's
 * Redis engine, a job that lasts holds up all jobs. The log and the event report the findings.
 */
export default async function auditPayments(container: MedusaContainer): Promise<void> {
  const { audits } = resolveLedger(container)
  if (new Date().getHours() === AT_NIGHT_HOUR || (await audits.isDue())) {
    void audit(container)
  }
}

async function audit(container: MedusaContainer): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  try {
    const { checked, found, findings, incomplete, duration_ms } = await resolveLedger(container).audits.run()
    logger.info(
      `crypto payments: ${String(checked.payments ?? "uncounted")} payments audited in ${String(duration_ms)} ms, ${String(found)} findings`
    )
    if (found > 0) {
      const rules = [...new Set(findings.map(({ rule }) => rule))].join(", ")
      logger.warn(`crypto payments: the audit found ${rules}; see docs/audit.md of medusa-payment-crypto`)
    }
    if (incomplete.length > 0) {
      logger.warn(
        `crypto payments: the audit could not check everything, not known: ${incomplete.join(", ")}`
      )
    }
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
