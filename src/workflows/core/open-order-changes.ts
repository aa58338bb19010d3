import type { MedusaContainer, OrderChangeDTO } from "@medusajs/framework/types"
import { Modules, type MedusaError } from "@medusajs/framework/utils"
import { notAllowed } from "../../modules/crypto-payments/errors"

const BEGUN = (what: string): string =>
  `${what} of this order was begun. Confirm or cancel it, then register the refund.`

/** For merchants, by type of the open change: a code, what it is, and what to do. */
const REFUSED_CHANGES: Readonly<Record<string, [code: string, message: string]>> = {
  edit: ["order_edited", "The order is being edited. Confirm or cancel the edit, then register the refund."],
  return_request: ["order_in_return", BEGUN("A return")],
  return_receive: [
    "order_in_return",
    "Returned items of this order are being received. Confirm or cancel that, then register the refund.",
  ],
  exchange: ["order_in_exchange", BEGUN("An exchange")],
  claim: ["order_in_claim", BEGUN("A claim")],
  transfer: [
    "order_in_transfer",
    "A customer has asked to move this order to another account. Cancel the request on the order's page, then register the refund.",
  ],
  credit_line: [
    "order_in_booking",
    "Medusa is booking a refund or a cancellation of this order. Register the refund again in a minute. If that is refused too, the server ended meanwhile: cancel the open change with DELETE /admin/order-edits/(the order's id).",
  ],
}

const OTHER = [
  "order_in_change",
  "The order has a change that is not finished. Confirm or cancel it, then register the refund.",
] as const

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

export function refusedBeside(changeType: string): MedusaError {
  const [code, message] = REFUSED_CHANGES[changeType] ?? OTHER
  return notAllowed(message, code)
}
