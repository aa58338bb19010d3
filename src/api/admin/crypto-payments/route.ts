import { answer, viewerOf, type Asking } from "./respond"
import type { AdminListCryptoPayments } from "./validators"

export const GET = answer(
  async (req: Asking<typeof AdminListCryptoPayments>, ledger) =>
    await ledger.shown.list(req.validatedQuery, await viewerOf(req))
)
