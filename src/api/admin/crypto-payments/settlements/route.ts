import { resolveLedger } from "../../../../modules/crypto-payments"
import { answer, type Asking } from "../respond"
import type { AdminGetCryptoSettlements } from "../validators"

/** Gross, fees and net per period, currency and coin. */
export const GET = answer(
  async (req: Asking<typeof AdminGetCryptoSettlements>) =>
    await resolveLedger(req.scope).settlements.read(req.validatedQuery)
)
