import { setTimeout as delay } from "node:timers/promises"
import type { AuditReport } from "../../../.medusa/server/src/modules/crypto-payments/audit/audit-report"
import type { StoreCluster } from "./store-cluster"

/** Longer than the leases and locks of processes that were killed. */
const PATIENCE_MS = 150_000
const PAUSE_MS = 5000

/** The audit that every store runs at night. */
export async function runSelfAudit(cluster: StoreCluster): Promise<AuditReport> {
  const [server] = cluster.servers
  if (server === undefined) {
    throw new Error("there is no server")
  }
  const { status, data } = await cluster
    .admin(server)
    .post<{ audit: AuditReport }>("/admin/crypto-payments/audit", {})
  if (status !== 200) {
    throw new Error(`the self-audit was answered with ${String(status)}: ${JSON.stringify(data)}`)
  }
  return data.audit
}

/** @returns what is left unexplained when the schedule has had the time it needs; nothing as soon as there is nothing */
export async function findUnexplained(cluster: StoreCluster): Promise<AuditReport["findings"]> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { findings } = await runSelfAudit(cluster)
    if (findings.length === 0 || Date.now() > deadline) {
      return findings
    }
    await delay(PAUSE_MS)
  }
}
