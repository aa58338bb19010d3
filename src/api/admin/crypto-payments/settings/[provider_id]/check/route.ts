import { resolveLedger } from "../../../../../../modules/crypto-payments"
import { answer } from "../../../respond"
import { AdminCheckCryptoSettings, parseSettings } from "../../../settings-validators"

/** Tests the connection with the present values of the form, before they are saved. */
export const POST = answer(async (req) => {
  const form = parseSettings(AdminCheckCryptoSettings, req.body)
  return await resolveLedger(req.scope).settingsEditor.check(req.params["provider_id"] ?? "", form)
})
