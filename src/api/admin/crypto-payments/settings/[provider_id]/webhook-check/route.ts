import { checkWebhook } from "../../../../../../modules/crypto-payments/health/check-webhook"
import { refuseWhilePaused } from "../../../../../../modules/crypto-payments/paused"
import { answer } from "../../../respond"

export const POST = answer(async (req, ledger) => {
  refuseWhilePaused()
  const settings = await ledger.settings.readFresh(req.params["provider_id"] ?? "")
  return await checkWebhook(settings, ledger.statuses)
})
