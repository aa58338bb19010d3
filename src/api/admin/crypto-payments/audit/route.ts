import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import type { AuditReport } from "../../../../modules/crypto-payments/checks/audits"
import { answer, viewerOf, type Asking } from "../respond"
import type { AdminAuditCryptoPayments } from "../validators"

/** The last report over all rules; null before the first. */
export const GET = answer(async (req, ledger) => {
  const audit = await ledger.audits.readLast()
  return { audit: audit && (await showAudit(req, audit)) }
})

/** Runs the audit now. A run over only some rules is answered and not stored. */
export const POST = answer(async (req: Asking<typeof AdminAuditCryptoPayments>, ledger) => {
  const audit = await ledger.audits.run(req.validatedBody.rules)
  return { audit: await showAudit(req, audit) }
})

async function showAudit(req: AuthenticatedMedusaRequest, audit: AuditReport): Promise<AuditReport> {
  const { orders } = await viewerOf(req)
  return orders
    ? audit
    : { ...audit, findings: audit.findings.map((finding) => ({ ...finding, order_ids: [] })) }
}
