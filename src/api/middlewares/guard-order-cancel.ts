import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { dropInterruptedCredit } from "../../workflows/core/drop-interrupted-credit"

/** Core writes a refund transaction on cancel even when the provider refuses to refund: so it is not let that far. */
export async function guardOrderCancel(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const orderId = req.params["id"] ?? ""
  if (await ledger.refuseWhilePaid(orderId, "cancel")) {
    await dropInterruptedCredit(req.scope, orderId)
  }
  next()
}
