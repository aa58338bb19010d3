import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { offerPaymentLinkStep, type OfferPaymentLinkInput } from "./steps/offer-payment-link"

/** Id of `offerPaymentLinkWorkflow`, for a workflow engine that runs workflows by name. */
export const offerPaymentLinkWorkflowId = "offer-payment-link"

/**
 * Gives the payment link of an unpaid order, to be sent to its customer: the open one, or a new one.
 *
 * @example
 * const { result } = await offerPaymentLinkWorkflow(container).run({ input: { id: "cpreq_123" } })
 * // { payment_link: "https://…" }
 */
export const offerPaymentLinkWorkflow = createWorkflow(
  offerPaymentLinkWorkflowId,
  (input: WorkflowData<OfferPaymentLinkInput>) => {
    return new WorkflowResponse(offerPaymentLinkStep(input))
  }
)
