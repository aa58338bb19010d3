import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { resolveAttentionStep } from "./steps/resolve-attention"

/** Id of `resolveAttentionWorkflow`, for a workflow engine that runs workflows by name. */
export const resolveAttentionWorkflowId = "resolve-attention"

/**
 * Closes a case a person has dealt with. A payment without an order then becomes one only when "Check now" asks for it.
 *
 * @example
 * await resolveAttentionWorkflow(container).run({ input: { id: "cpreq_123", note: "shipped by hand, order 1042" } })
 */
export const resolveAttentionWorkflow = createWorkflow(
  resolveAttentionWorkflowId,
  (input: WorkflowData<{ id: string; note: string }>) => new WorkflowResponse(resolveAttentionStep(input))
)
