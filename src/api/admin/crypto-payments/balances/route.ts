import { answer, withGateway, type Asking } from "../respond"
import type { AdminOfCryptoProvider } from "../validators"

export const GET = answer(
  async (req: Asking<typeof AdminOfCryptoProvider>) =>
    await withGateway(req.scope, req.validatedQuery.provider_id, async (client) => {
      const listed = await client.listBalances()
      return { balances: listed.map(({ asset, value, locked }) => ({ asset, value, locked })) }
    })
)
