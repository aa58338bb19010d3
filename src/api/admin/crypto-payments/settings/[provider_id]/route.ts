import { answer } from "../../respond"

export const GET = answer(
  async (req, ledger) => await ledger.settingsEditor.read(req.params["provider_id"] ?? "")
)

/** Saves settings. Another origin needs all secrets again, and an answer about the former origin's open requests. */
export const POST = answer(
  async (req, ledger) => await ledger.settingsEditor.save(req.params["provider_id"] ?? "", req.body)
)
