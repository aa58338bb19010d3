import { addDays, SETTLEMENT_COLUMNS } from "../../../../../modules/crypto-payments/reports/settlement-report"
import { answerCsv } from "../../csv"
import type { Asking } from "../../respond"
import type { AdminGetCryptoSettlements } from "../../validators"

export const GET = answerCsv(async (req: Asking<typeof AdminGetCryptoSettlements>, ledger) => {
  const { settlements, period, from, to } = await ledger.settlements.read(req.validatedQuery)
  return {
    name: `settlements-${period}-${from}-to-${addDays(to, -1)}.csv`,
    columns: SETTLEMENT_COLUMNS,
    texts: ["coin"],
    pages: [settlements],
  }
})
