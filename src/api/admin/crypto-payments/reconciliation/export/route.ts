import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import type { ListReport } from "../../../../../workflows"
import { respondWithCsv } from "../../csv"
import { resolveLedger } from "../../respond"
import type { AdminReconcileCryptoPaymentsType } from "../../validators"

/** The findings of the last comparison as a file for a spreadsheet. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { provider_id } = req.validatedQuery as AdminReconcileCryptoPaymentsType
  const { report } = await resolveLedger(req).statuses.readReconciliation(provider_id)
  if (report === null) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "The gateway's list has not been compared for this provider yet."
    )
  }
  const { rows, finished_at } = report as unknown as ListReport
  respondWithCsv(
    res,
    `reconciliation-${provider_id}-${finished_at.slice(0, 10)}.csv`,
    ["finding", "payment_request_id", "listed_status", "id", "wrong_fields"],
    rows.map(({ finding, payment_request_id, listed_status, id, fields }) => [
      finding,
      payment_request_id,
      listed_status,
      id,
      fields?.join(" ") ?? null,
    ])
  )
}
