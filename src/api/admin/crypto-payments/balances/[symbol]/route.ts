import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { BALANCE_SYMBOL_PATTERN } from "../../../../../gateway"
import type { Balance } from "../../../../../http-contract"
import { withGateway } from "../../respond"
import type { AdminGetOfCryptoProviderType } from "../../validators"

/** One asset's balance, as the gateway has it now. */
export async function GET(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<{ provider_id: string; balance: Balance }>
): Promise<void> {
  const symbol = req.params["symbol"] ?? ""
  if (!BALANCE_SYMBOL_PATTERN.test(symbol)) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "The symbol must be an asset's, such as AED.")
  }
  const { provider_id } = req.validatedQuery as AdminGetOfCryptoProviderType
  const read = await withGateway(
    req,
    res,
    provider_id,
    async ({ client }) => await client.readBalance(symbol)
  )
  if (read !== undefined) {
    const { asset, value, locked } = read.result
    res.status(200).json({ provider_id: read.provider_id, balance: { asset, value, locked } })
  }
}
