import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import type { RefundRegistration } from "../modules/crypto-payments/refunds/refund-store"
import { applyRefundStep } from "./steps/apply-refund"

/** Id of `registerRefundWorkflow`, for a workflow engine that runs workflows by name. */
export const registerRefundWorkflowId = "register-refund"

/**
 * Registers a refund that was made in the gateway's dashboard, and applies it at once. Running it again with the same
 * reference and amount finishes what a crash interrupted, and never refunds twice.
 *
 * @example
 * await registerRefundWorkflow(container).run({
 *   input: { requestId: "cpreq_123", amount: "20.01", reference: "0xabc", note: null, createdBy: "user_1" },
 * })
 */
export const registerRefundWorkflow = createWorkflow(
  registerRefundWorkflowId,
  (input: WorkflowData<RefundRegistration>) => {
    return new WorkflowResponse(applyRefundStep(input))
  }
)
