import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

/**
 * Core deletes the payment collection, the sessions and the payments of a draft order with it, and asks no provider. So it
 * is not let that far while the money is not sent back. The links of an unpaid draft order that was deleted are withdrawn
 * by the schedule.
 */
export async function guardDraftOrderDeletion(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await ledger.refuseWhilePaid(req.params["id"] ?? "", "delete")
  next()
}
