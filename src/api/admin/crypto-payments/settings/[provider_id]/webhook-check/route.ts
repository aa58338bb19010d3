import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { found, resolveLedger } from "../../../respond"

/** Sends a signed self-test to the provider's webhook and says whether it arrived and was verified. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  res.status(200).json(found(await resolveLedger(req).checkWebhook(req.params["provider_id"] ?? "")))
}
