import type { BeforeJson, CryptoPaymentList } from "../../../http-contract"
import { answer, viewerOf, type Asking } from "./respond"
import type { AdminListCryptoPayments } from "./validators"

/** The ledger, searched, filtered, sorted and paged; with sums over all rows of the filter if requested. */
export const GET = answer(
  async (req: Asking<typeof AdminListCryptoPayments>, ledger): Promise<BeforeJson<CryptoPaymentList>> => {
    const { limit, offset, order, totals, ...filter } = req.validatedQuery
    const page = { limit, offset, order, totals: totals === "true" }
    return await ledger.search.list(filter, page, await viewerOf(req))
  }
)
