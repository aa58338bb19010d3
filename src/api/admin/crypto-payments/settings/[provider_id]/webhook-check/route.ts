import { answer } from "../../../respond"

/** Sends a signed self-test to the provider's webhook and says whether it arrived and was verified. */
export const POST = answer(
  async (req, ledger) => await ledger.health.checkWebhook(req.params["provider_id"] ?? "")
)
