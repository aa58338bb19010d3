import type { MedusaContainer, OrderChangeDTO } from "@medusajs/framework/types"
import { Modules, type MedusaError } from "@medusajs/framework/utils"
import { notAllowed } from "../../modules/crypto-payments/errors"

/** By type of the open change. The admin says of each code what to do. */
const CODES: Readonly<Record<string, string>> = {
  edit: "order_edited",
  return_request: "order_in_return",
  return_receive: "order_in_return",
  exchange: "order_in_exchange",
  claim: "order_in_claim",
  transfer: "order_in_transfer",
  credit_line: "order_in_booking",
}

/**
 * Core books no refund of an order that has an open change: neither a merchant's, nor a customer's request to transfer
 * the order, nor one that core itself has left because its process died.
 *
 * @throws MedusaError 400 that names the change and what to do about it
 */
export async function refuseBesideOpenChange(container: MedusaContainer, orderId: string): Promise<void> {
  const change = await findOpenChange(container, orderId)
  if (change !== undefined) {
    throw refusedBeside(change.change_type ?? "edit")
  }
}

/** Of an order that core can neither cancel nor book a refund of. */
export async function findOpenChange(
  container: MedusaContainer,
  orderId: string
): Promise<OrderChangeDTO | undefined> {
  const filters = { order_id: orderId, status: ["pending", "requested"] }
  return (await container.resolve(Modules.ORDER).listOrderChanges(filters))[0]
}

/** Changes by which the merchant sets a new price. Anybody can request a return or a transfer. */
const OF_PRICE = ["edit", "exchange", "claim"]

/** Whether the merchant has set another price of the order since. */
export async function isRepriced(container: MedusaContainer, orderId: string, since: Date): Promise<boolean> {
  const filters = { order_id: orderId, status: ["confirmed"], change_type: OF_PRICE }
  const changes = await container.resolve(Modules.ORDER).listOrderChanges(filters)
  return changes.some(({ confirmed_at }) => new Date(confirmed_at ?? 0) > since)
}

export function refusedBeside(changeType: string): MedusaError {
  const message =
    changeType === "credit_line"
      ? "Medusa is booking a refund or a cancellation of this order. Register the refund again in a minute. If that is refused too, cancel the open change with DELETE /admin/order-edits/(the order's id)."
      : `The order has an open change of the type ${changeType}. Confirm or cancel it, then register the refund.`
  return notAllowed(message, CODES[changeType] ?? "order_in_change")
}
