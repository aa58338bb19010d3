import { checkWebhook } from "../../../../../../modules/crypto-payments/health/check-webhook"
import { answer } from "../../../respond"

/** Sends a signed self-test to the provider's webhook and says whether it arrived and was verified. */
export const POST = answer(async (req, ledger) => {
  const settings = await ledger.settings.readFresh(req.params["provider_id"] ?? "")
  return await checkWebhook(settings, ledger.statuses)
})
