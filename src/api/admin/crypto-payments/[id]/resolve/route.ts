import { MedusaError } from "@medusajs/framework/utils"
import { answer, showCryptoPayment, type Asking } from "../../respond"
import type { AdminResolveCryptoPayment } from "../../validators"

/** Closes a case that an admin user has dealt with; 400 when none is open. */
export const POST = answer(async (req: Asking<typeof AdminResolveCryptoPayment>, ledger) => {
  const { note } = req.validatedBody
  if (!(await ledger.requests.resolveCase(req.params["id"] ?? "", note, req.auth_context.actor_id))) {
    const message = "No case is open for this payment request."
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, message, "no_open_case")
  }
  return { crypto_payment: await showCryptoPayment(req) }
})
