import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { offerPaymentLink } from "../../../../../workflows/offer-payment-link"
import { respondWithCryptoPayment } from "../../respond"

/**
 * The link an unpaid order's customer can pay at: the open one, or a new one, with its row. 400 when nothing waits to be
 * paid.
 */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { id, payment_link } = await offerPaymentLink(req.scope, { id: req.params["id"] ?? "" })
  await respondWithCryptoPayment(req, res, { payment_link }, id)
}
