import { answer, viewerOf, type Asking } from "./respond"
import type { AdminListCryptoPayments } from "./validators"

/** The ledger, searched, filtered, sorted and paged; with sums over all rows of the filter if requested. */
export const GET = answer(
  async (req: Asking<typeof AdminListCryptoPayments>, ledger) =>
    await ledger.search.list(req.validatedQuery, await viewerOf(req))
)
