import type { AuditReport } from "../../.medusa/server/src/modules/crypto-payments/audit/audit-report"
import type { StoreUnderTest } from "./store-under-test"

/** Runs the audit as the admin's page does. */
export async function runAudit(store: StoreUnderTest, rules?: string[]): Promise<AuditReport> {
  const { data } = await store.http.post<{ audit: AuditReport }>(
    "/admin/crypto-payments/audit",
    rules === undefined ? {} : { rules },
    await store.admin()
  )
  return data.audit
}

/** The findings of an audit, each as its rule and the ids it names. */
export function shortFindings({ findings }: AuditReport): [string, ...string[]][] {
  return findings.map(({ rule, request_ids, order_ids }) => [rule, ...request_ids, ...order_ids])
}
