import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { respondWithCryptoPayment } from "../../respond"
import type { AdminResolveCryptoPaymentType } from "../../validators"

/** Closes a case that an admin user has dealt with; 400 when none is open. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminResolveCryptoPaymentType>,
  res: MedusaResponse
): Promise<void> {
  const { requests } = resolveLedger(req.scope)
  const { note } = req.validatedBody
  if (!(await requests.resolveCase(req.params["id"] ?? "", note, req.auth_context.actor_id))) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "No case is open for this payment request.",
      "no_open_case"
    )
  }
  await respondWithCryptoPayment(req, res)
}
