import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { settlePaymentRequestWorkflow } from "../../../../../workflows"
import { resolveLedger, respondWithCryptoPayment } from "../../respond"

/**
 * Check now: asks the gateway and settles, like any other trigger. What Medusa has is read and decided on whether or not
 * the provider is registered; where the payment needs its provider for more, the answer says that it is missing.
 */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const id = req.params["id"] ?? ""
  await settlePaymentRequestWorkflow(req.scope).run({ input: { id, trigger: "admin" } })
  const ledger = resolveLedger(req)
  const row = await ledger.requests.require(id)
  if (row.settled_at === null && row.state !== "refunded") {
    await ledger.requireProvider(row)
  }
  await respondWithCryptoPayment(req, res)
}
