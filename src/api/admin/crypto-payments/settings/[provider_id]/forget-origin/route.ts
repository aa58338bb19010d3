import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../../../modules/crypto-payments"
import { found } from "../../../respond"
import type { AdminForgetCryptoOriginType } from "../../../settings-validators"

/** Stops reading from a former address, and accepting notifications signed with its keys. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminForgetCryptoOriginType>,
  res: MedusaResponse
): Promise<void> {
  const { origin } = req.validatedBody
  const outcome = found(
    await resolveLedger(req.scope).desk.forgetOrigin(req.params["provider_id"] ?? "", origin)
  )
  if (outcome === "unknown_origin") {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "The provider has no such former gateway address.")
  }
  const { view, rowsLeft } = outcome
  res.status(200).json({ ...view, rows_left_at_former_origin: rowsLeft })
}
