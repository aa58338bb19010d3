import type { AxiosInstance } from "axios"
import type { AuditReport } from "../../.medusa/server/src/http-contract"

/**
 * Runs the audit that every store runs at night.
 *
 * @param admin calls a store as its admin user
 * @throws when it is not answered with 200
 */
export async function runSelfAudit(admin: AxiosInstance): Promise<AuditReport> {
  const { status, data } = await admin.post<{ audit: AuditReport }>("/admin/crypto-payments/audit", {})
  if (status !== 200) {
    throw new Error(`the self-audit was answered with ${String(status)}: ${JSON.stringify(data)}`)
  }
  return data.audit
}
