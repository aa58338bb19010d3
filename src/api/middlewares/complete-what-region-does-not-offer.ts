import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { isOfferedInRegion } from "../../workflows/core/complete-in-region"
import { settleWorker } from "../../workflows/settle-worker"

/**
 * Core completes no cart with a provider that its region does not offer any more, also one that is an order already. A
 * link that was given out stays payable, so what is paid of such a cart is settled here, and the order that this places
 * is answered as core answers it.
 *
 * @returns whether it has answered; otherwise core says what is missing
 */
export async function completeWhatRegionDoesNotOffer(
  req: MedusaRequest,
  res: MedusaResponse,
  cartId: string
): Promise<boolean> {
  const ledger = resolveLedger(req.scope)
  const link = await ledger.links.findCompletingOfCart(cartId)
  if (link === undefined || (await isOfferedInRegion(req.scope, cartId, link.provider_id))) {
    return false
  }
  if (link.settled_at === null) {
    await settleNow(req, ledger, link)
  }
  const { settled_at, order_id } = await ledger.requests.require(link.id)
  const { fields } = req.queryConfig as Partial<MedusaRequest["queryConfig"]>
  if (settled_at === null || order_id === null || fields === undefined) {
    return false
  }
  const query = req.scope.resolve(ContainerRegistrationKeys.QUERY)
  const found: { data: unknown[] } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  res.status(200).json({ type: "order", order: found.data[0] })
  return true
}

/** One read of the gateway in a while, however often a cart that is not paid is completed. */
async function settleNow(
  req: MedusaRequest,
  ledger: CryptoPaymentsModuleService,
  { id, session_id, paid_at }: CryptoPaymentRequestRow
): Promise<void> {
  if (paid_at !== null) {
    await settleWorker.settleNow(req.scope, id, { trigger: "order_changed" })
    return
  }
  const status = await ledger.sessions.read(session_id)
  if (status !== undefined && (await ledger.checks.makeReturnedDue(status))) {
    await settleWorker.settleNow(req.scope, id, { trigger: "return" })
  }
}
