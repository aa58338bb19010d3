import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import type { ListReport } from "../../../../../workflows"
import { respondWithCsv } from "../../csv"
import type { AdminGetReconciliationType } from "../../validators"
import { readReport } from "../runs"

/** The findings of the last comparison, or of an earlier one, as a file for a spreadsheet. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const asked = req.validatedQuery as AdminGetReconciliationType
  const { report } = await readReport(resolveLedger(req.scope).reconciliations, asked)
  if (report === null) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "The gateway's list has not been compared for this provider yet."
    )
  }
  const { rows, finished_at } = report as unknown as ListReport
  respondWithCsv(
    res,
    `reconciliation-${asked.provider_id}-${finished_at.slice(0, 10)}.csv`,
    ["finding", "payment_request_id", "listed_status", "id", "wrong_fields"],
    rows.map(({ finding, payment_request_id, listed_status, id, fields }) => [
      finding,
      { text: payment_request_id },
      { text: listed_status },
      id,
      fields?.join(" ") ?? null,
    ])
  )
}
