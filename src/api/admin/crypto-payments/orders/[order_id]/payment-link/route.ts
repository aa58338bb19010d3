import { offerPaymentLink } from "../../../../../../workflows/offer-payment-link"
import { answer, showCryptoPayment, type Asking } from "../../../respond"
import type { AdminOfCryptoProvider } from "../../../validators"

/** The link for what an order owes: the open one, or a new one, with its row. 400 when it owes nothing. */
export const POST = answer(async (req: Asking<typeof AdminOfCryptoProvider>) => {
  const { id, payment_link } = await offerPaymentLink(req.scope, {
    orderId: req.params["order_id"] ?? "",
    providerId: req.validatedBody.provider_id,
  })
  return { crypto_payment: await showCryptoPayment(req, id), payment_link }
})
