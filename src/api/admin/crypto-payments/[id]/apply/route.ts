import { applyPayment } from "../../../../../workflows/apply-payment"
import { answer, showCryptoPayment, type Asking } from "../../respond"
import type { AdminApplyCryptoPayment } from "../../validators"

/** Uses received money that has no order for an order that owes at least as much. 400 with a code when it cannot. */
export const POST = answer(async (req: Asking<typeof AdminApplyCryptoPayment>) => {
  const { order_id: orderId } = req.validatedBody
  await applyPayment(req.scope, { id: req.params["id"] ?? "", orderId, by: req.auth_context.actor_id })
  return { crypto_payment: await showCryptoPayment(req) }
})
