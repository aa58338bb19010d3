import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../modules/crypto-payments"

/** Settings of every registered provider; of secrets only whether they are there. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  res.status(200).json(await resolveLedger(req.scope).settingsEditor.list())
}
