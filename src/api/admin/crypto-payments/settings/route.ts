import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../modules/crypto-payments"

/** Settings of every registered provider; of secrets only whether they are there. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { desk } = resolveLedger(req.scope)
  const all = await desk.list()
  res
    .status(200)
    .json({ settings: all.map(({ settings }) => settings), encryption_key: await desk.viewKey() })
}
