import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { respondWithCsv } from "../../csv"
import { resolveLedger } from "../../respond"
import type { AdminGetCryptoSettlementsType } from "../../validators"
import { readSettlementQuery } from "../query"

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
] as const

/** The settlements as a file for a spreadsheet. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const ledger = resolveLedger(req)
  const query = await readSettlementQuery(ledger, req.validatedQuery as AdminGetCryptoSettlementsType)
  const { settlements } = await ledger.readSettlements(query)
  respondWithCsv(
    res,
    `settlements-${query.period}-${query.from}-${query.to}.csv`,
    [...COLUMNS],
    settlements.map((row) => COLUMNS.map((column) => row[column]))
  )
}
