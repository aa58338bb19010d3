import { offerPaymentLink } from "../../../../../workflows/offer-payment-link"
import { answer, showCryptoPayment } from "../../respond"

/**
 * The link an unpaid order's customer can pay at: the open one, or a new one, with its row. 400 when nothing waits to be
 * paid.
 */
export const POST = answer(async (req) => {
  const { id, payment_link } = await offerPaymentLink(req.scope, { id: req.params["id"] ?? "" })
  return { crypto_payment: await showCryptoPayment(req, id), payment_link }
})
