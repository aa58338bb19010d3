import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MathBN } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { registerRefund } from "../../../../../workflows/register-refund"
import { settleInTurn } from "../../../../../workflows/settle-in-turn"
import { respondWithCryptoPayment } from "../../respond"
import type { AdminRegisterCryptoRefundType } from "../../validators"

/**
 * Registers a refund made in the gateway's dashboard and applies it at once. The same call again changes nothing, and
 * its answer says so.
 */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminRegisterCryptoRefundType>,
  res: MedusaResponse
): Promise<void> {
  const { amount, reference, note } = req.validatedBody
  const requestId = req.params["id"] ?? ""
  const applied = await registerRefund(req.scope, {
    requestId,
    amount: MathBN.convert(amount).toFixed(2),
    reference,
    note: note ?? null,
    createdBy: req.auth_context.actor_id,
  })
  if (await resolveLedger(req.scope).changedOrders.makeCaseDue(requestId)) {
    await settleInTurn(req.scope, requestId, "order_changed")
  }
  const refunds = await resolveLedger(req.scope).search.listRefunds(requestId)
  await respondWithCryptoPayment(req, res, {
    refund: refunds.find(({ id }) => id === applied.refund.id),
    already_registered: applied.alreadyRegistered,
  })
}
