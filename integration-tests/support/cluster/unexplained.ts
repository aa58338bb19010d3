import { setTimeout as delay } from "node:timers/promises"
import type { AuditFinding, AuditReport } from "../../../.medusa/server/src/http-contract"
import { runSelfAudit } from "../audit"
import type { StoreCluster } from "./store-cluster"

/** Longer than the leases and locks of processes that were killed. */
const PATIENCE_MS = 150_000
const PAUSE_MS = 5000

/** Runs the audit in the first server. */
export async function auditCluster(cluster: StoreCluster): Promise<AuditReport> {
  return await runSelfAudit(cluster.admin(cluster.server(0)))
}

/** @returns what is left unexplained when the schedule has had the time it needs; nothing as soon as there is nothing */
export async function findUnexplained(cluster: StoreCluster): Promise<AuditFinding[]> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { findings } = await auditCluster(cluster)
    if (findings.length === 0 || Date.now() > deadline) {
      return findings
    }
    await delay(PAUSE_MS)
  }
}
