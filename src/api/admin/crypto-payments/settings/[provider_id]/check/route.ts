import { answer } from "../../../respond"
import { AdminCheckCryptoSettings, parseSettings } from "../../../settings-validators"

/** Tests the connection with the present values of the form, before they are saved. */
export const POST = answer(async (req, ledger) => {
  const form = parseSettings(AdminCheckCryptoSettings, req.body)
  return await ledger.settingsEditor.check(req.params["provider_id"] ?? "", form)
})
