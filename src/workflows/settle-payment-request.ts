import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { settleRequestStep, type SettleRequestInput } from "./steps/settle-request"

export type { SettleTrigger } from "./steps/settle-request"

/** Id of `settlePaymentRequestWorkflow`, for a workflow engine that runs workflows by name. */
export const settlePaymentRequestWorkflowId = "settle-payment-request"

/**
 * Brings one payment request up to date. A notification, the payer's return, the schedule and the admin's button all run
 * this: it reads the gateway, decides, lets core capture and place the order, and writes the outcome.
 *
 * @example
 * await settlePaymentRequestWorkflow(container).run({ input: { id: "cpreq_123", trigger: "admin" } })
 */
export const settlePaymentRequestWorkflow = createWorkflow(
  settlePaymentRequestWorkflowId,
  (input: WorkflowData<SettleRequestInput>) => {
    return new WorkflowResponse(settleRequestStep(input))
  }
)
