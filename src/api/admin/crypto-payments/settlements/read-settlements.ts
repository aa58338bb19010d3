import { MedusaError } from "@medusajs/framework/utils"
import type { Period, Settlements } from "../../../../http-contract"
import { resolveLedger } from "../../../../modules/crypto-payments"
import type { Asking } from "../respond"
import type { AdminGetCryptoSettlements } from "../validators"

const DAY_MS = 86_400_000
const MAX_DAYS = 3700
/** How far back without `from`: 30 days, 26 weeks, 12 months. */
const DEFAULT_DAYS: Record<Period, number> = { day: 29, week: 26 * 7 - 1, month: 365 }

/** The requested sums, with default values for omitted days. @throws MedusaError 400 */
export async function readSettlements(req: Asking<typeof AdminGetCryptoSettlements>): Promise<Settlements> {
  const { period, time_zone, currency, provider_id, ...asked } = req.validatedQuery
  const { settlements, facts } = resolveLedger(req.scope)
  if (!(await settlements.knowsTimeZone(time_zone))) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "`time_zone` must be a time zone of the IANA database that the store's database knows too, such as Asia/Dubai " +
        "or America/Los_Angeles. Abbreviations such as PST mean different offsets in different places.",
      "unknown_time_zone"
    )
  }
  const today = (await facts.now()).toLocaleDateString("en-CA", { timeZone: time_zone })
  const to = asked.to ?? addDays(today, 1)
  const from = asked.from ?? addDays(addDays(to, -1), -DEFAULT_DAYS[period])
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  if (days <= 0 || days > MAX_DAYS) {
    const message = "`from` must be before `to`, and at most ten years may lie between them."
    throw new MedusaError(MedusaError.Types.INVALID_DATA, message, "wrong_range")
  }
  const query = { period, timeZone: time_zone, from, to, currency, providerId: provider_id }
  return { period, time_zone, from, to, ...(await settlements.read(query)) }
}

/** The day that many days after another one, both as `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}
