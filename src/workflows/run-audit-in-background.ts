import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { describeError, isConflict } from "../modules/crypto-payments/errors"
import { auditPaymentsWorkflow } from "./audit-payments"

/** Runs the audit where nobody waits for its answer: the log and the event tell what it found. */
export async function runAuditInBackground(container: MedusaContainer): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  try {
    const { result } = await auditPaymentsWorkflow(container).run({ input: {} })
    const { checked, found, findings, incomplete, duration_ms } = result
    const rules = [...new Set(findings.map(({ rule }) => rule))]
    logger.info(
      `crypto payments: ${String(checked.payments)} payments audited in ${String(duration_ms)} ms, ${String(found)} findings`
    )
    if (found > 0) {
      logger.warn(
        `crypto payments: the audit found ${rules.join(", ")}; see docs/audit.md of medusa-payment-crypto`
      )
    }
    if (incomplete.length > 0) {
      logger.warn(
        `crypto payments: the database was too slow for a whole audit, not known: ${incomplete.join(", ")}`
      )
    }
  } catch (error) {
    if (!isConflict(error)) {
      logger.error(`crypto payments: the audit broke off (${describeError(error)})`)
    }
  }
}
