import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MathBN } from "@medusajs/framework/utils"
import { registerRefundWorkflow } from "../../../../../workflows"
import { respondWithCryptoPayment } from "../../respond"
import type { AdminRegisterCryptoRefundType } from "../../validators"

/** Registers a refund made in the gateway's dashboard and applies it at once; the same call again changes nothing. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminRegisterCryptoRefundType>,
  res: MedusaResponse
): Promise<void> {
  const { amount, reference, note } = req.validatedBody
  const { result: refund } = await registerRefundWorkflow(req.scope).run({
    input: {
      requestId: req.params["id"] ?? "",
      amount: MathBN.convert(amount).toFixed(2),
      reference,
      note: note ?? null,
      createdBy: req.auth_context.actor_id,
    },
  })
  await respondWithCryptoPayment(req, res, { refund })
}
