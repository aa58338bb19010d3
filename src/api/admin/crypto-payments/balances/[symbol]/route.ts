import { BALANCE_SYMBOL_PATTERN } from "../../../../../gateway"
import { invalidData } from "../../../../../modules/crypto-payments/errors"
import { answer, withGateway, type Asking } from "../../respond"
import type { AdminOfCryptoProvider } from "../../validators"

export const GET = answer(async (req: Asking<typeof AdminOfCryptoProvider>) => {
  const symbol = req.params["symbol"] ?? ""
  if (!BALANCE_SYMBOL_PATTERN.test(symbol)) {
    throw invalidData("The symbol must be an asset's, such as AED.")
  }
  return await withGateway(req.scope, req.validatedQuery.provider_id, async (client) => {
    const { asset, value, locked } = await client.readBalance(symbol)
    return { balance: { asset, value, locked } }
  })
})
