import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { auditPaymentsStep, type AuditPaymentsInput } from "./steps/audit-payments"

/** Id of `auditPaymentsWorkflow`, for a workflow engine that runs workflows by name. */
export const auditPaymentsWorkflowId = "audit-crypto-payments"

/**
 * Holds stored rows against the promise: each payment is explained, or is a finding. It only reads. A run over all rules
 * is kept as the last report, and `crypto_payment.audit_failed` tells of its findings.
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
