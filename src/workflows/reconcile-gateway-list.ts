import { createWorkflow, WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import { reconcileListStep, type ReconcileListInput } from "./steps/reconcile-list"

/** Id of `reconcileGatewayListWorkflow`, for a workflow engine that runs workflows by name. */
export const reconcileGatewayListWorkflowId = "reconcile-gateway-list"

/**
 * Compares the gateway's own list with the ledger, both ways. What turns out to be ours or paid is made due, and the
 * next tick of `reconcile-payment-requests` settles it like any other row. This workflow captures nothing, so it may
 * run anywhere, also in a process that shares no locks with the store.
 *
 * @example
 * const { result } = await reconcileGatewayListWorkflow(container).run({ input: { provider_id: "pp_crypto_default" } })
 */
export const reconcileGatewayListWorkflow = createWorkflow(
  reconcileGatewayListWorkflowId,
  (input: WorkflowData<ReconcileListInput>) => {
    return new WorkflowResponse(reconcileListStep(input))
  }
)
