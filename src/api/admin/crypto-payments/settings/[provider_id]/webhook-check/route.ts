import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { WebhookCheck } from "../../../../../../http-contract"
import { resolveLedger } from "../../../../../../modules/crypto-payments"
import { found } from "../../../respond"

/** Sends a signed self-test to the provider's webhook and says whether it arrived and was verified. */
export async function POST(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<WebhookCheck>
): Promise<void> {
  res
    .status(200)
    .json(found(await resolveLedger(req.scope).health.checkWebhook(req.params["provider_id"] ?? "")))
}
