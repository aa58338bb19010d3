import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { offerPaymentLink } from "../../../../../../workflows/offer-payment-link"
import { respondWithCryptoPayment } from "../../../respond"
import type { AdminOfferCryptoPaymentLinkType } from "../../../validators"

/** The link for what an order owes: the open one, or a new one, with its row. 400 when it owes nothing. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminOfferCryptoPaymentLinkType>,
  res: MedusaResponse
): Promise<void> {
  const { id, payment_link } = await offerPaymentLink(req.scope, {
    orderId: req.params["order_id"] ?? "",
    providerId: req.validatedBody.provider_id,
  })
  await respondWithCryptoPayment(req, res, { payment_link }, id)
}
