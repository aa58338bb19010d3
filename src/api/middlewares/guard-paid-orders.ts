import { resolveLedger } from "../../modules/crypto-payments"
import { deleteSessionsOfMissingProviders } from "../../workflows/core/missing-providers"
import { guard } from "./refuse-unusable-input"

/** Core writes a refund transaction on cancel even if the provider refuses to refund: so cancelling is refused. */
export const guardOrderCancel = guard(async (req) => {
  const ledger = resolveLedger(req.scope)
  await ledger.orderLinks.refuseWhilePaid(req.params["id"] ?? "", "cancel")
})

/**
 * Core deletes a draft order's payment collection, sessions and payments, and asks no provider. So deleting is refused
 * while the money is not sent back. The schedule withdraws the links of a deleted unpaid draft order.
 */
export const guardDraftOrderDeletion = guard(async (req) => {
  const ledger = resolveLedger(req.scope)
  await ledger.orderLinks.refuseWhilePaid(req.params["id"] ?? "", "delete")
})

/**
 * Core deletes a collection's sessions when a merchant marks it as paid. The provider refuses to delete a session whose
 * link is paid, and core answers that with 500. So this asks first, and the payment is settled.
 */
export const guardMarkAsPaid = guard(async (req) => {
  const collectionId = req.params["id"] ?? ""
  await deleteSessionsOfMissingProviders(req.scope, collectionId)
  await resolveLedger(req.scope).issuer.refusePaidCollection(collectionId)
})
