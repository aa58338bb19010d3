import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { convertDraftOrderWorkflow } from "@medusajs/medusa/core-flows"
import { createOrderPaymentLinkWorkflow } from "medusa-payment-crypto/workflows"

/** The draft order that was sent as a quote. */
interface AcceptQuoteInput {
  draft_order_id: string
}

/**
 * A quote becomes an order that can be paid: `url` of the result is the order's pay page, which the shop opens or mails.
 * If the page was given with the quote already, it is the same page.
 */
export const acceptQuoteWorkflow = createWorkflow(
  "accept-quote",
  ({ draft_order_id }: WorkflowData<AcceptQuoteInput>) => {
    const order = convertDraftOrderWorkflow.runAsStep({ input: { id: draft_order_id } })
    const link = createOrderPaymentLinkWorkflow.runAsStep({ input: { order_id: order.id } })
    return new WorkflowResponse(link)
  }
)
