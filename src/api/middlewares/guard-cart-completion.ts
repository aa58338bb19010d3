import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CompletionBar } from "../../modules/crypto-payments/payment-requests/guard-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { clearUnlinkedOrders } from "../../workflows/core/clear-unlinked-orders"

const REFUSALS: Record<CompletionBar, string> = {
  refunded: "The payment of this cart was refunded. Start a new cart to order again.",
  left_to_person: "The shop has taken the payment of this cart in hand. Ask the shop before you order again.",
}

const BEING_PLACED = "The order of this cart is being placed. Try again in two minutes."

/**
 * A payment that was sent back in full still looks captured to core, which would place the order for nothing; and whose
 * case a person has closed, they may have sent back or shipped by hand. And an order that a dead process began for the
 * cart would stay beside the one that core places now.
 */
export async function guardCartCompletion(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const cartId = req.params["id"] ?? ""
  const bar = await ledger.readCompletionBar(cartId)
  if (bar !== null) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, REFUSALS[bar])
  }
  const clearance = await clearUnlinkedOrders(req.scope, cartId)
  if (clearance.kind === "touched") {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, REFUSALS.left_to_person)
  }
  if (clearance.kind === "in_use") {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_PLACED)
  }
  next()
}
