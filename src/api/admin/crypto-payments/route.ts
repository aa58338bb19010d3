import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { BeforeJson, CryptoPaymentList } from "../../../http-contract"
import { resolveLedger } from "../../../modules/crypto-payments"
import type { ListPage } from "../../../modules/crypto-payments/reports/search"
import { showRow } from "./respond"
import { viewerOf } from "./viewer"
import type { AdminListCryptoPaymentsType } from "./validators"

/** The ledger, searched, filtered, sorted and paged; with sums over all rows of the filter if requested. */
export async function GET(
  req: AuthenticatedMedusaRequest<unknown, AdminListCryptoPaymentsType>,
  res: MedusaResponse<BeforeJson<CryptoPaymentList>>
): Promise<void> {
  const { limit, offset, order, totals, ...filter } = req.validatedQuery as AdminListCryptoPaymentsType
  const sort: ListPage["sort"] = {
    by: order.replace("-", "") as ListPage["sort"]["by"],
    descending: order.startsWith("-"),
  }
  const { search } = resolveLedger(req.scope)
  const viewer = await viewerOf(req)
  const { rows, count } = await search.list(filter, { limit, offset, sort }, viewer)
  const sums =
    totals === "true" ? { totals: await search.total(filter, viewer), coins: await search.listCoins() } : {}
  const crypto_payments = rows.map((row) => showRow(row, viewer))
  res.status(200).json({ crypto_payments, count, limit, offset, ...sums })
}
