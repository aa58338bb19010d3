import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../modules/crypto-payments"
import type { ReconciliationRuns } from "../../../../modules/crypto-payments/reconciliation/runs"
import type { Asking } from "../respond"
import type { AdminGetReconciliation } from "../validators"

/** The requested report, or else the last one. @throws MedusaError 404 for a run that is not kept or has no report */
export async function readReport(
  req: Asking<typeof AdminGetReconciliation>
): ReturnType<ReconciliationRuns["read"]> {
  const { provider_id, run_id } = req.validatedQuery
  const found = await resolveLedger(req.scope).reconciliations.read(provider_id, run_id)
  if (run_id !== undefined && found.report === null) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "This comparison is not kept any more, or nothing was compared in it."
    )
  }
  return found
}
