import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { settlePaymentRequestWorkflow } from "../../../../../workflows"
import { respondWithCryptoPayment } from "../../respond"

/** Check now: asks the gateway and settles, like any other trigger. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await settlePaymentRequestWorkflow(req.scope).run({
    input: { id: req.params["id"] ?? "", trigger: "admin" },
  })
  await respondWithCryptoPayment(req, res)
}
