import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { ConnectionCheck } from "../../../../../../http-contract"
import { resolveLedger } from "../../../../../../modules/crypto-payments"
import { readForm } from "../../../../../../modules/crypto-payments/settings/settings-input"
import { answerProblem, found } from "../../../respond"
import type { AdminCheckCryptoSettingsType } from "../../../settings-validators"

/** Tests the connection with the present values of the form, before they are saved. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminCheckCryptoSettingsType>,
  res: MedusaResponse<ConnectionCheck>
): Promise<void> {
  const outcome = found(
    await resolveLedger(req.scope).settingsEditor.check(
      req.params["provider_id"] ?? "",
      readForm(req.validatedBody)
    )
  )
  if ("refusal" in outcome) {
    answerProblem(res, 400, { ...outcome.refusal })
    return
  }
  res.status(200).json(outcome.check)
}
