import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../respond"
import type { AdminGetCryptoSettlementsType } from "../validators"
import { readSettlementQuery } from "./query"

/** Gross, fees and net per period, currency and coin. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const ledger = resolveLedger(req)
  const query = await readSettlementQuery(ledger, req.validatedQuery as AdminGetCryptoSettlementsType)
  const { settlements, totals } = await ledger.readSettlements(query)
  const { period, timeZone: time_zone, from, to } = query
  res.status(200).json({ period, time_zone, from, to, settlements, totals })
}
