import type { Balance } from "../../../../http-contract"
import { answer, withGateway, type Asking } from "../respond"
import type { AdminOfCryptoProvider } from "../validators"

/** Every balance of a provider's account, as the gateway has it now. */
export const GET = answer(async (req: Asking<typeof AdminOfCryptoProvider>) => {
  const { provider_id, result } = await withGateway(
    req.scope,
    req.validatedQuery.provider_id,
    async (client) => await client.listBalances()
  )
  const balances: Balance[] = result.map(({ asset, value, locked }) => ({ asset, value, locked }))
  return { provider_id, balances }
})
