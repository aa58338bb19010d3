import { answer, type Asking } from "../respond"
import type { AdminGetCryptoSettlements } from "../validators"

export const GET = answer(
  async (req: Asking<typeof AdminGetCryptoSettlements>, ledger) =>
    await ledger.settlements.read(req.validatedQuery)
)
