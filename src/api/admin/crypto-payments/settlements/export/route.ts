import type { MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { addDays } from "../../../../../modules/crypto-payments/reports/settlement-report"
import { respondWithCsv } from "../../csv"
import type { Asking } from "../../respond"
import type { AdminGetCryptoSettlements } from "../../validators"

const COLUMNS = [
  "period_start",
  "period_end",
  "currency_code",
  "coin",
  "count",
  "gross",
  "fees",
  "buyer_fees",
  "net",
  "refund_count",
  "refunded",
  "not_captured_count",
  "not_captured",
] as const

/** The settlements as a file for a spreadsheet. */
export async function GET(req: Asking<typeof AdminGetCryptoSettlements>, res: MedusaResponse): Promise<void> {
  const { settlements, period, from, to } = await resolveLedger(req.scope).settlements.read(
    req.validatedQuery
  )
  await respondWithCsv(req, res, {
    name: `settlements-${period}-${from}-to-${addDays(to, -1)}.csv`,
    columns: COLUMNS,
    texts: ["coin"],
    pages: [settlements],
  })
}
