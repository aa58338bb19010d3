import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { respondWithCsv } from "../../csv"
import type { AdminGetCryptoSettlementsType } from "../../validators"
import { addDays, readSettlementQuery } from "../query"

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
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const ledger = resolveLedger(req.scope)
  const query = await readSettlementQuery(ledger, req.validatedQuery as AdminGetCryptoSettlementsType)
  const { settlements } = await ledger.settlements.read(query)
  respondWithCsv(
    res,
    `settlements-${query.period}-${query.from}-to-${addDays(query.to, -1)}.csv`,
    [...COLUMNS],
    settlements.map((row) => COLUMNS.map((column) => (column === "coin" ? { text: row.coin } : row[column])))
  )
}
