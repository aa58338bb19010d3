import { resolveLedger } from "../../modules/crypto-payments"
import { dropInterruptedCredit } from "../../workflows/core/open-order-changes"
import { guard } from "./guard"

/** Core writes a refund transaction on cancel even when the provider refuses to refund: so it is not let that far. */
export const guardOrderCancel = guard(async (req) => {
  const ledger = resolveLedger(req.scope)
  const orderId = req.params["id"] ?? ""
  if (await ledger.orderLinks.refuseWhilePaid(orderId, "cancel")) {
    await dropInterruptedCredit(req.scope, orderId)
  }
})

/**
 * Core deletes the payment collection, the sessions and the payments of a draft order with it, and asks no provider. So
 * it is not let that far while the money is not sent back. The links of an unpaid draft order that was deleted are
 * withdrawn by the schedule.
 */
export const guardDraftOrderDeletion = guard(async (req) => {
  const ledger = resolveLedger(req.scope)
  await ledger.orderLinks.refuseWhilePaid(req.params["id"] ?? "", "delete")
})

/**
 * Core deletes a collection's sessions when a merchant marks it as paid. The provider lets no session go whose link is
 * paid, and core answers that with 500. So it is asked before, and the payment is settled.
 */
export const guardMarkAsPaid = guard(async (req) => {
  await resolveLedger(req.scope).issuer.refusePaidCollection(req.params["id"] ?? "")
})
