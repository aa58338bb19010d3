import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"

/** Answers with the row as it now is, without what only the ledger needs. */
export async function respondWithCryptoPayment(
  req: MedusaRequest,
  res: MedusaResponse,
  more: Record<string, unknown> = {}
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const id = req.params["id"] ?? ""
  const row = await ledger.settlements.find(id)
  if (row === undefined) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `The ledger has no payment request ${id}.`)
  }
  const {
    payer_digest: _digest,
    lease_until: _lease,
    check_requested_at: _requested,
    ...crypto_payment
  } = row
  res.status(200).json({ crypto_payment, ...more })
}
