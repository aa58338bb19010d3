import { offerPaymentLink } from "../../../../../workflows/offer-payment-link"
import { answer, showCryptoPayment } from "../../respond"

/** The open or new link for an unpaid order's customer, with its row. 400 when nothing waits to be paid. */
export const POST = answer(async (req) => {
  const { id, payment_link } = await offerPaymentLink(req.scope, { id: req.params["id"] ?? "" })
  return { crypto_payment: await showCryptoPayment(req, id), payment_link }
})
