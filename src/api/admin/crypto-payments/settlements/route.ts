import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { BeforeJson, Settlements } from "../../../../http-contract"
import { resolveLedger } from "../../../../modules/crypto-payments"
import type { AdminGetCryptoSettlementsType } from "../validators"
import { readSettlementQuery } from "./query"

/** Gross, fees and net per period, currency and coin. */
export async function GET(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<BeforeJson<Settlements>>
): Promise<void> {
  const ledger = resolveLedger(req.scope)
  const query = await readSettlementQuery(ledger, req.validatedQuery as AdminGetCryptoSettlementsType)
  const { settlements, totals } = await ledger.settlements.read(query)
  const { period, timeZone: time_zone, from, to } = query
  res.status(200).json({ period, time_zone, from, to, settlements, totals })
}
