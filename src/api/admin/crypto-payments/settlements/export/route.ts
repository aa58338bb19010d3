import { addDays, SETTLEMENT_COLUMNS } from "../../../../../modules/crypto-payments/reports/settlement-report"
import { answerCsv } from "../../csv"
import type { Asking } from "../../respond"
import type { AdminGetCryptoSettlements } from "../../validators"

/** A person who opens the file expects the period's last day, as in its name, and not the day after. */
export const GET = answerCsv(async (req: Asking<typeof AdminGetCryptoSettlements>, ledger) => {
  const { settlements, period, from, to } = await ledger.settlements.read(req.validatedQuery)
  return {
    name: `settlements-${period}-${from}-to-${addDays(to, -1)}.csv`,
    columns: SETTLEMENT_COLUMNS.map((column) => (column === "period_end" ? ("last_day" as const) : column)),
    ids: [],
    pages: [settlements.map((row) => ({ ...row, last_day: addDays(row.period_end, -1) }))],
  }
})
