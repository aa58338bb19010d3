import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import type { SettingsInput } from "../../../../../../http-contract"
import { resolveLedger } from "../../../../../../modules/crypto-payments"
import { answer, found } from "../../../respond"

/** Tests the connection with the present values of the form, before they are saved. */
export const POST = answer(async (req: AuthenticatedMedusaRequest<SettingsInput>) =>
  found(
    await resolveLedger(req.scope).settingsEditor.check(req.params["provider_id"] ?? "", req.validatedBody)
  )
)
