import type { BeforeJson, CryptoPaymentList } from "../../../http-contract"
import { resolveLedger } from "../../../modules/crypto-payments"
import { answer, viewerOf, type Asking } from "./respond"
import type { AdminListCryptoPayments } from "./validators"

/** The ledger, searched, filtered, sorted and paged; with sums over all rows of the filter if requested. */
export const GET = answer(
  async (req: Asking<typeof AdminListCryptoPayments>): Promise<BeforeJson<CryptoPaymentList>> => {
    const { limit, offset, order, totals, ...filter } = req.validatedQuery
    const page = { limit, offset, order, totals: totals === "true" }
    return await resolveLedger(req.scope).search.list(filter, page, await viewerOf(req))
  }
)
