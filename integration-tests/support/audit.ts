import type { AuditReport } from "../../.medusa/server/src/http-contract"
import type { AdminApi } from "./admin-api"
import { replaceDelays } from "./held-timers"
import { expectOk } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** Runs the audit as the admin's page does, once no other one is running; without `rules`, of all rules. */
export async function runAudit({ asAdmin }: { asAdmin: AdminApi }, rules?: string[]): Promise<AuditReport> {
  const path = "/crypto-payments/audit"
  const body = rules === undefined ? {} : { rules }
  const answer = await waitUntil(
    async () => await asAdmin.post(path, body),
    ({ status }) => status !== 409
  )
  return expectOk(path, answer)["audit"] as AuditReport
}

/** The findings of an audit, each as its rule and the ids it names. */
export const shortFindings = ({ findings }: AuditReport): [string, ...string[]][] =>
  findings.map(({ rule, request_ids, order_ids }) => [rule, ...request_ids, ...order_ids])

/**
 * Runs one rule of the audit, which looks twice, a second apart. The second look waits only if the first one found anything.
 *
 * @param between takes place after its first look and before its second, however long it takes
 * @returns the report, and how many findings the first look had
 */
export async function runAuditAround(store: StoreUnderTest, rule: string, between: () => Promise<unknown>) {
  const seen: number[] = []
  const heard = ({ rows }: { rows: unknown[] }, { sql }: { sql: string }): void => {
    if (sql.includes(") found ORDER BY request_ids")) {
      seen.push(rows.length)
    }
  }
  store.knex.on("query-response", heard)
  const end = replaceDelays("checks/audits", between)
  try {
    return { ...(await runAudit(store, [rule])), seenFirst: seen[0] }
  } finally {
    end()
    store.knex.off("query-response", heard)
  }
}
