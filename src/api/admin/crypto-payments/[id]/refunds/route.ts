import { MathBN } from "@medusajs/framework/utils"
import { registerRefund } from "../../../../../workflows/register-refund"
import { settleWorker } from "../../../../../workflows/settle-worker"
import { answer, showCryptoPayment, type Asking } from "../../respond"
import type { AdminRegisterCryptoRefund } from "../../validators"

/** Registers a refund made in the gateway's dashboard and books it at once. The answer says if it was known. */
export const POST = answer(async (req: Asking<typeof AdminRegisterCryptoRefund>, ledger) => {
  const { amount, reference, note, refund_reason_id } = req.validatedBody
  const requestId = req.params["id"] ?? ""
  const applied = await registerRefund(req.scope, {
    request_id: requestId,
    amount: MathBN.convert(amount).toFixed(2),
    reference,
    note: note ?? null,
    refund_reason_id: refund_reason_id ?? null,
    created_by: req.auth_context.actor_id,
  })
  const { attention_amount: sum, attention_resolved_at: resolvedAt } =
    await ledger.requests.require(requestId)
  if (sum !== null && resolvedAt === null) {
    // Its case about a sum may be over.
    await settleWorker.settleNow(req.scope, requestId, { trigger: "order_changed" }, 0)
  }
  const { reference_digest: _digest, updated_at: _updated, deleted_at: _deleted, ...refund } = applied.refund
  return {
    crypto_payment: await showCryptoPayment(req),
    refund,
    already_registered: applied.alreadyRegistered,
  }
})
