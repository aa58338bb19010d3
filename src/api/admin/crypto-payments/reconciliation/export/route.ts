import { notFound } from "../../../../../modules/crypto-payments/errors"
import { answerCsv } from "../../csv"
import type { Asking } from "../../respond"
import type { AdminReconcileCryptoPayments } from "../../validators"

export const GET = answerCsv(async (req: Asking<typeof AdminReconcileCryptoPayments>, ledger) => {
  const { provider_id } = req.validatedQuery
  const { report } = await ledger.reconciliations.read(provider_id)
  if (report === null) {
    throw notFound("The gateway's list has not been compared for this provider yet.")
  }
  const { rows, finished_at } = report
  return {
    name: `reconciliation-${provider_id}-${finished_at.slice(0, 10)}.csv`,
    columns: ["finding", "payment_request_id", "listed_status", "id", "wrong_fields"],
    ids: ["payment_request_id", "id"],
    pages: [rows.map(({ fields, ...row }) => ({ ...row, wrong_fields: fields?.join(" ") ?? null }))],
  }
})
