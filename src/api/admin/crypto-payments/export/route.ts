import { addDays } from "../../../../modules/crypto-payments/reports/settlement-report"
import { answerCsv } from "../csv"
import { viewerOf, type Asking } from "../respond"
import type { AdminExportCryptoPayments } from "../validators"

export const GET = answerCsv(async (req: Asking<typeof AdminExportCryptoPayments>, ledger) => {
  const { from, to, columns, pages } = await ledger.exports.read(req.validatedQuery, await viewerOf(req))
  return {
    name: `payments-${from === null ? "" : `${from}-to-`}${addDays(to, -1)}.csv`,
    columns,
    ids: ["order_id", "id", "payment_request_id", "ref_id"],
    pages,
  }
})
