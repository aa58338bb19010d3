import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

/**
 * Core deletes a collection's sessions when a merchant marks it as paid. The provider lets no session go whose link is
 * paid, and core answers that with 500. So it is asked before, and the payment is settled.
 */
export async function guardMarkAsPaid(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await ledger.refusePaidCollection(req.params["id"] ?? "")
  next()
}
