import { answer } from "../../../respond"

/** Tests the connection with the present values of the form, before they are saved. */
export const POST = answer(
  async (req, ledger) => await ledger.settingsEditor.check(req.params["provider_id"] ?? "", req.body)
)
