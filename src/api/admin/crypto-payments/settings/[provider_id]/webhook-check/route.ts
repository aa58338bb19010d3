import { checkWebhook } from "../../../../../../modules/crypto-payments/health/check-webhook"
import { answer } from "../../../respond"

export const POST = answer(async (req, ledger) => {
  const settings = await ledger.settings.readFresh(req.params["provider_id"] ?? "")
  return await checkWebhook(settings, ledger.statuses)
})
