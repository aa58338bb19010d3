import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { ListPage } from "../../../modules/crypto-payments/reports/search"
import { resolveLedger } from "./respond"
import type { AdminListCryptoPaymentsType } from "./validators"

/** The ledger, searched, filtered, sorted and paged. */
export async function GET(
  req: AuthenticatedMedusaRequest<unknown, AdminListCryptoPaymentsType>,
  res: MedusaResponse
): Promise<void> {
  const { limit, offset, order, ...filter } = req.validatedQuery as AdminListCryptoPaymentsType
  const sort: ListPage["sort"] = {
    by: order.replace("-", "") as ListPage["sort"]["by"],
    descending: order.startsWith("-"),
  }
  const { rows, count } = await resolveLedger(req).search.list(filter, { limit, offset, sort })
  res.status(200).json({ crypto_payments: rows, count, limit, offset })
}
