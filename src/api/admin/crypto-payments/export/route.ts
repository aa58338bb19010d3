import type { MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { addDays } from "../../../../modules/crypto-payments/reports/settlement-report"
import { respondWithCsv } from "../csv"
import { viewerOf, type Asking } from "../respond"
import type { AdminExportCryptoPayments } from "../validators"

/** The payments of a filter as a file for a spreadsheet, one line each. */
export async function GET(req: Asking<typeof AdminExportCryptoPayments>, res: MedusaResponse): Promise<void> {
  const { from, to, columns, pages } = await resolveLedger(req.scope).exports.read(
    req.validatedQuery,
    await viewerOf(req)
  )
  await respondWithCsv(req, res, {
    name: `payments-${from === null ? "" : `${from}-to-`}${addDays(to, -1)}.csv`,
    columns,
    texts: TEXTS,
    pages,
  })
}

const TEXTS = [
  ...["order_id", "id", "payment_request_id", "ref_id", "provider_id"],
  ...["coin", "fee_paid_by", "customer_email"],
]
