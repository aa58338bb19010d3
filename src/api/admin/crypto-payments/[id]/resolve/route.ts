import { notAllowed } from "../../../../../modules/crypto-payments/errors"
import { answer, showCryptoPayment, type Asking } from "../../respond"
import type { AdminResolveCryptoPayment } from "../../validators"

/**
 * Closes a case that an admin user has dealt with; 400 when it is not open any more, or another case has replaced it.
 */
export const POST = answer(async (req: Asking<typeof AdminResolveCryptoPayment>, ledger) => {
  const { note, attention_since } = req.validatedBody
  const id = req.params["id"] ?? ""
  if (!(await ledger.cases.close(id, { note, by: req.auth_context.actor_id, since: attention_since }))) {
    const message = "The case is not open any more, or another one has replaced it. Read the payment again."
    throw notAllowed(message, "no_open_case")
  }
  if ((await ledger.requests.require(id)).attention_reason === "partly_paid") {
    // The whole sum is asked for by another link: the gateway may still count the part for this one.
    await ledger.links.retire(id)
  }
  return { crypto_payment: await showCryptoPayment(req) }
})
