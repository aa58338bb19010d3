import type { MedusaContainer, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError, isConflict } from "../modules/crypto-payments/errors"
import { auditPaymentsWorkflow } from "../workflows/audit-payments"

/** After the gateway's list was compared. */
const AT_NIGHT_HOUR = 3

/**
 * Every night each payment has to be explained. A night that was missed is made up for within an hour, and so long
 * after an upgrade the payments are audited as well.
 */
export default async function auditPayments(container: MedusaContainer): Promise<void> {
  const ledger = resolveLedger(container)
  if (new Date().getHours() === AT_NIGHT_HOUR || (await ledger.audits.isDue())) {
    await runAuditInBackground(container)
  }
}

/** Runs the audit where nobody waits for its answer: the log and the event report its findings. */
async function runAuditInBackground(container: MedusaContainer): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  try {
    const { result } = await auditPaymentsWorkflow(container).run({ input: {} })
    const { checked, found, findings, incomplete, duration_ms } = result
    const rules = [...new Set(findings.map(({ rule }) => rule))]
    logger.info(
      `crypto payments: ${String(checked.payments ?? "uncounted")} payments audited in ${String(duration_ms)} ms, ${String(found)} findings`
    )
    if (found > 0) {
      logger.warn(
        `crypto payments: the audit found ${rules.join(", ")}; see docs/audit.md of medusa-payment-crypto`
      )
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
