import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Balance as GatewayBalance } from "../../../../gateway"
import type { Balance } from "../../../../http-contract"
import { withGateway } from "../respond"
import type { AdminGetOfCryptoProviderType } from "../validators"

/** Every balance of a provider's account, as the gateway has it now. */
export async function GET(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<{ provider_id: string; balances: Balance[] }>
): Promise<void> {
  const { provider_id } = req.validatedQuery as AdminGetOfCryptoProviderType
  const read = await withGateway(req, res, provider_id, async ({ client }) => await client.listBalances())
  if (read !== undefined) {
    res.status(200).json({ provider_id: read.provider_id, balances: read.result.map(toBalance) })
  }
}

/** A balance with the fields of the interface alone. */
function toBalance({ asset, value, locked }: GatewayBalance): Balance {
  return { asset, value, locked }
}
