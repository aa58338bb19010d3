import { WorkflowManager } from "@medusajs/framework/orchestration"
import type { Registration } from "../settings/options-schema"

/** Medusa exports it without a type. */
const registered = WorkflowManager as { getWorkflows: () => Map<string, unknown> }

const CORES_OWN = "complete-cart"

/**
 * Workflows that are named after completing a cart. A settle runs core's workflow, so in a store with such a one it could
 * place a wrong order, or a second one. Another workflow under core's own name stops the boot: Medusa lets none be
 * registered twice with different steps.
 *
 * @param ids once the store has started, all workflows are registered
 * @returns names for the merchant; empty in a store that completes carts as core does
 */
export function listReplacements(ids: Iterable<string> = registered.getWorkflows().keys()): string[] {
  return [...ids].flatMap((id) => {
    const words = id.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
    const isCompletion = words.some((word) => ["complete", "completion"].includes(word))
    return id !== CORES_OWN && isCompletion && words.includes("cart") ? [`workflow ${id}`] : []
  })
}

/** Whether core's completion may be run for a cart: nothing replaces it, or the merchant says that it counts. */
export function mayComplete({ coreCompletion }: Pick<Registration, "coreCompletion">): boolean {
  return coreCompletion || listReplacements().length === 0
}
