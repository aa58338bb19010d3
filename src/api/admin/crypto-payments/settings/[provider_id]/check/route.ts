import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { answerProblem, found, resolveLedger } from "../../../respond"
import type { AdminCheckCryptoSettingsType } from "../../../settings-validators"

/** Tests the connection with the form as it stands, before it is saved. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminCheckCryptoSettingsType>,
  res: MedusaResponse
): Promise<void> {
  const outcome = found(
    await resolveLedger(req).desk.check(req.params["provider_id"] ?? "", req.validatedBody)
  )
  if ("refusal" in outcome) {
    answerProblem(res, 400, { ...outcome.refusal })
    return
  }
  res.status(200).json(outcome.check)
}
