import { resolveLedger } from "../../../../../modules/crypto-payments"
import { answer } from "../../respond"
import { AdminSaveCryptoSettings, parseSettings } from "../../settings-validators"

/** One provider's settings. */
export const GET = answer(
  async (req) => await resolveLedger(req.scope).settingsEditor.read(req.params["provider_id"] ?? "")
)

/** Saves settings; another origin asks for every secret again, and whose the open requests of the former one are. */
export const POST = answer(async (req) => {
  const form = parseSettings(AdminSaveCryptoSettings, req.body)
  return await resolveLedger(req.scope).settingsEditor.save(req.params["provider_id"] ?? "", form)
})
