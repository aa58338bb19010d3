import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** A change of an order that is neither confirmed nor given up. Core lets an order have one at a time. */
export interface OpenOrderChange {
  id: string
  /** `edit`, `transfer`, `return_request`, `return_receive`, `exchange`, `claim`, `credit_line`. */
  type: string
  status: "pending" | "requested"
  createdAt: Date
}

export async function listOpenChanges(
  container: MedusaContainer,
  orderId: string
): Promise<OpenOrderChange[]> {
  const changes = await container
    .resolve<IOrderModuleService>(Modules.ORDER)
    .listOrderChanges(
      { order_id: orderId, status: ["pending", "requested"] },
      { select: ["id", "change_type", "status", "created_at"] }
    )
  return changes.map(({ id, change_type, status, created_at }) => ({
    id,
    type: change_type ?? "edit",
    status: status as OpenOrderChange["status"],
    createdAt: new Date(created_at),
  }))
}

/** A request to move the order to another customer's account. It changes neither what is sold nor what is owed. */
export function isTransfer({ type }: OpenOrderChange): boolean {
  return type === "transfer"
}
