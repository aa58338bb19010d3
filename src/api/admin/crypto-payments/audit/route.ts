import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { AuditReport } from "../../../../http-contract"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { auditPaymentsWorkflow } from "../../../../workflows"
import { finishOrAnswerRunning, showAudit } from "../respond"
import type { AdminAuditCryptoPaymentsType } from "../validators"
import { viewerOf } from "../viewer"

/** The last report over all rules; null before the first. */
export async function GET(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<{ audit: AuditReport | null }>
): Promise<void> {
  const audit = await resolveLedger(req.scope).audits.readLast()
  res.status(200).json({ audit: audit && showAudit(audit, await viewerOf(req)) })
}

/** Runs the audit now. A run over some of the rules is answered and not kept. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminAuditCryptoPaymentsType>,
  res: MedusaResponse<{ audit: AuditReport }>
): Promise<void> {
  const audit = await finishOrAnswerRunning(
    res,
    auditPaymentsWorkflow(req.scope).run({ input: req.validatedBody, throwOnError: false }),
    "The payments are being audited at this moment."
  )
  if (audit !== undefined) {
    res.status(200).json({ audit: showAudit(audit, await viewerOf(req)) })
  }
}
