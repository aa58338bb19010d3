import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"

const splitOrders = createStep("split-orders", async () => await Promise.resolve(new StepResponse([])))

/** Named as that of a marketplace in use. */
export default createWorkflow("complete-cart-with-split-orders", () => new WorkflowResponse(splitOrders()))
