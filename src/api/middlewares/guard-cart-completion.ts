import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CompletionBar } from "../../modules/crypto-payments/payment-requests/guard-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

const REFUSALS: Record<CompletionBar, string> = {
  refunded: "The payment of this cart was refunded. Start a new cart to order again.",
  left_to_person: "The shop has taken the payment of this cart in hand. Ask the shop before you order again.",
}

/**
 * A payment that was sent back in full still looks captured to core, which would place the order for nothing; and whose
 * case a person has closed, they may have sent back or shipped by hand.
 */
export async function guardCartCompletion(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const bar = await ledger.readCompletionBar(req.params["id"] ?? "")
  if (bar !== null) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, REFUSALS[bar])
  }
  next()
}
