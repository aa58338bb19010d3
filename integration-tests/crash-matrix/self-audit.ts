import type { Shop } from "./shop"
import type { StoreProcess } from "./store-process"

/** What the plugin's self-audit finds wrong. */
export interface AuditFinding {
  rule: string
  message: string
  request_ids: string[]
  order_ids: string[]
}

/** Runs the self-audit in the store. @throws when it does not answer 200, or did not look at everything */
export async function runSelfAudit(shop: Shop, at: StoreProcess): Promise<AuditFinding[]> {
  const { status, data } = await shop.admin(at).post("/admin/crypto-payments/audit")
  if (status !== 200) {
    throw new Error(`the self-audit answered ${String(status)}: ${JSON.stringify(data)}`)
  }
  if (data.audit.incomplete.length > 0) {
    throw new Error(`the self-audit was too slow: ${String(data.audit.incomplete)}`)
  }
  return data.audit.findings as AuditFinding[]
}
