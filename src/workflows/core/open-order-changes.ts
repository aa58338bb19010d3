import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import { isInterrupted } from "./interrupted"

/** A change of an order that is neither confirmed nor cancelled. Core lets an order have one at a time. */
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
    .resolve(Modules.ORDER)
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

/**
 * Takes back the credit line of a refund or a cancellation that core did not finish because its process died. Core
 * leaves it as an open change, and would never again book a refund or cancel the order.
 *
 * @returns the order's other open changes, which are somebody's work
 */
export async function dropInterruptedCredit(
  container: MedusaContainer,
  orderId: string
): Promise<OpenOrderChange[]> {
  const open = await listOpenChanges(container, orderId)
  if (open.length === 0) {
    return []
  }
  const now = await resolveLedger(container).facts.now()
  const isDead = ({ type, createdAt }: OpenOrderChange): boolean =>
    type === "credit_line" && isInterrupted(now.getTime() - createdAt.getTime())
  for (const { id } of open.filter(isDead)) {
    await container.resolve(Modules.ORDER).cancelOrderChange(id)
  }
  return open.filter((change) => !isDead(change))
}

interface Refusal {
  code: string
  message: string
}

/** For merchants, by type of the open change: what it is, and what to do. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  edit: {
    code: "order_edited",
    message: "The order is being edited. Confirm or cancel the edit, then register the refund.",
  },
  return_request: {
    code: "order_in_return",
    message: "A return of this order was begun. Confirm or cancel it, then register the refund.",
  },
  return_receive: {
    code: "order_in_return",
    message:
      "Returned items of this order are being received. Confirm or cancel that, then register the refund.",
  },
  exchange: {
    code: "order_in_exchange",
    message: "An exchange of this order was begun. Confirm or cancel it, then register the refund.",
  },
  claim: {
    code: "order_in_claim",
    message: "A claim of this order was begun. Confirm or cancel it, then register the refund.",
  },
  credit_line: {
    code: "order_in_booking",
    message:
      "Medusa is booking a refund or a cancellation of this order. Register the refund again in a minute.",
  },
}

const OTHER: Refusal = {
  code: "order_in_change",
  message: "The order has a change that is not finished. Confirm or cancel it, then register the refund.",
}

/**
 * Refuses while the order has an open change during which core would not book a refund. A transfer request does not
 * count: it is set aside meanwhile.
 *
 * @throws MedusaError 400 with a sentence that names the change and what to do first
 */
export async function refuseBesideOpenChange(container: MedusaContainer, orderId: string): Promise<void> {
  const open = await dropInterruptedCredit(container, orderId)
  const change = open.find((each) => !isTransfer(each))
  if (change !== undefined) {
    const { code, message } = REFUSALS[change.type] ?? OTHER
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, message, code)
  }
}
