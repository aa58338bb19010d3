import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { resolveLedger } from "../modules/crypto-payments"

export interface AuditPaymentsInput {
  /** Names of rules. Without names: all rules, and the report is stored. */
  rules?: string[] | undefined
}

const auditPaymentsStep = createStep(
  "audit-payments",
  async ({ rules }: AuditPaymentsInput, { container }) => {
    const ledger = resolveLedger(container)
    return new StepResponse(await ledger.audits.run(rules))
  }
)

/** Id of `auditPaymentsWorkflow`, for a workflow engine that runs workflows by name. */
export const auditPaymentsWorkflowId = "audit-crypto-payments"

/**
 * Checks stored rows against the promise: each payment is explained, or is a finding. Reads only. A run over all rules
 * is stored as the last report, and `crypto_payment.audit_failed` reports its findings.
 *
 * @throws MedusaError 400 for a rule that does not exist; 409 while another audit runs
 * @example
 * const { result } = await auditPaymentsWorkflow(container).run({ input: {} })
 * console.log(result.findings)
 */
export const auditPaymentsWorkflow = createWorkflow(
  auditPaymentsWorkflowId,
  (input: WorkflowData<AuditPaymentsInput>) => {
    return new WorkflowResponse(auditPaymentsStep(input))
  }
)
