import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { resolveLedger } from "../modules/crypto-payments"

/** Which case, what was done about it, and who says so: an admin user or API key. */
export interface ResolveAttentionInput {
  id: string
  note: string
  by?: string
}

/** Closes the open case of a payment request with a note on what was done; nothing else changes. */
const resolveAttentionStep = createStep(
  { name: "resolve-attention", noCompensation: true },
  async ({ id, note, by }: ResolveAttentionInput, { container }) => {
    const ledger = resolveLedger(container)
    return new StepResponse({ wasOpen: await ledger.requests.resolveCase(id, note, by) })
  }
)

/** Id of `resolveAttentionWorkflow`, for a workflow engine that runs workflows by name. */
export const resolveAttentionWorkflowId = "resolve-attention"

/**
 * Closes a case that an admin user has dealt with. A payment without an order then becomes one only when "Check now"
 * asks for it.
 *
 * @example
 * await resolveAttentionWorkflow(container).run({ input: { id: "cpreq_123", note: "shipped by hand, order 1042", by: "user_1" } })
 */
export const resolveAttentionWorkflow = createWorkflow(
  resolveAttentionWorkflowId,
  (input: WorkflowData<ResolveAttentionInput>) => new WorkflowResponse(resolveAttentionStep(input))
)
