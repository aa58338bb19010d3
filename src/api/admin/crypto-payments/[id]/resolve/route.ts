import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveAttentionWorkflow } from "../../../../../workflows"
import { respondWithCryptoPayment } from "../../respond"
import type { AdminResolveCryptoPaymentType } from "../../validators"

/** Closes a case that an admin user has dealt with; 400 when none is open. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminResolveCryptoPaymentType>,
  res: MedusaResponse
): Promise<void> {
  const { result } = await resolveAttentionWorkflow(req.scope).run({
    input: { id: req.params["id"] ?? "", note: req.validatedBody.note, by: req.auth_context.actor_id },
  })
  if (!result.wasOpen) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "No case is open for this payment request.",
      "no_open_case"
    )
  }
  await respondWithCryptoPayment(req, res)
}
