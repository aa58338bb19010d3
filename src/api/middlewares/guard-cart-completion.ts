import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

/** A payment that was sent back in full still looks captured to core, which would place the order for nothing. */
export async function guardCartCompletion(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  if (await ledger.isCartRefunded(req.params["id"] ?? "")) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "The payment of this cart was refunded. Start a new cart to order again."
    )
  }
  next()
}
