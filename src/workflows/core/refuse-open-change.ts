import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { dropInterruptedCredit } from "./drop-interrupted-credit"
import { isTransfer } from "./open-order-changes"

interface Refusal {
  code: string
  message: string
}

/** What a merchant reads, by the type of the open change: what it is, and the way out. */
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
 * Refuses while the order has an open change that core would not book a refund beside. A transfer request is none: it
 * is set aside meanwhile.
 *
 * @throws MedusaError 400 with a sentence that says which change it is and what to do first
 */
export async function refuseBesideOpenChange(container: MedusaContainer, orderId: string): Promise<void> {
  const open = await dropInterruptedCredit(container, orderId)
  const change = open.find((each) => !isTransfer(each))
  if (change !== undefined) {
    const { code, message } = REFUSALS[change.type] ?? OTHER
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, message, code)
  }
}
