import { MedusaError } from "@medusajs/framework/utils"
import type { Period } from "../../../../http-contract"
import type { SettlementQuery } from "../../../../modules/crypto-payments/reports/settlement-report"
import type CryptoPaymentsModuleService from "../../../../modules/crypto-payments/service"
import type { AdminGetCryptoSettlementsType } from "../validators"

const DAY_MS = 86_400_000
const MAX_DAYS = 3700
/** How far back without `from`: 30 days, 26 weeks, 12 months. */
const DEFAULT_DAYS: Record<Period, number> = { day: 29, week: 26 * 7 - 1, month: 365 }

/** The query, with default values for omitted days. @throws MedusaError 400 */
export async function readSettlementQuery(
  ledger: CryptoPaymentsModuleService,
  asked: AdminGetCryptoSettlementsType
): Promise<SettlementQuery> {
  if (!(await ledger.settlements.knowsTimeZone(asked.time_zone))) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "`time_zone` must be a time zone of the IANA database that the store's database knows too, such as Asia/Dubai " +
        "or America/Los_Angeles. Abbreviations such as PST mean different offsets in different places.",
      "unknown_time_zone"
    )
  }
  return toSettlementQuery(asked, await ledger.facts.now())
}

function toSettlementQuery(
  { period, time_zone, from, to, currency, provider_id }: AdminGetCryptoSettlementsType,
  now: Date
): SettlementQuery {
  const today = now.toLocaleDateString("en-CA", { timeZone: time_zone })
  const end = to ?? addDays(today, 1)
  const start = from ?? addDays(addDays(end, -1), -DEFAULT_DAYS[period])
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS
  if (days <= 0 || days > MAX_DAYS) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "`from` must be before `to`, and at most ten years may lie between them.",
      "wrong_range"
    )
  }
  return { period, timeZone: time_zone, from: start, to: end, currency, providerId: provider_id }
}

/** The day that many days after another one, both as `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}
