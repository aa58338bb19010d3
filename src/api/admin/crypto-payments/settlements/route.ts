import { answer, type Asking } from "../respond"
import type { AdminGetCryptoSettlements } from "../validators"

/** Gross, fees and net per period, currency and coin. */
export const GET = answer(
  async (req: Asking<typeof AdminGetCryptoSettlements>, ledger) =>
    await ledger.settlements.read(req.validatedQuery)
)
