import type { AuditReport } from "../../.medusa/server/src/http-contract"
import type { AdminApi } from "./admin-api"
import { expectOk } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/** Runs the audit as the admin's page does; without `rules`, of all rules. */
export async function runSelfAudit(admin: AdminApi, rules?: string[]): Promise<AuditReport> {
  const path = "/crypto-payments/audit"
  const body = rules === undefined ? {} : { rules }
  return expectOk(path, await admin.post(path, body))["audit"] as AuditReport
}

export const runAudit = async ({ asAdmin }: StoreUnderTest, rules?: string[]): Promise<AuditReport> =>
  await runSelfAudit(asAdmin, rules)

/** The findings of an audit, each as its rule and the ids it names. */
export const shortFindings = ({ findings }: AuditReport): [string, ...string[]][] =>
  findings.map(({ rule, request_ids, order_ids }) => [rule, ...request_ids, ...order_ids])

/**
 * Waits until the audit has looked for the first time: it looks again a second after that.
 *
 * @returns how many findings the first look has
 */
export async function firstLook(store: StoreUnderTest): Promise<number> {
  return await new Promise((resolve) => {
    const heard = ({ rows }: { rows: { total: number }[] }, { sql }: { sql: string }): void => {
      if (sql.includes("count(*) OVER ()::int AS total")) {
        store.knex.off("query-response", heard)
        resolve(rows[0]?.total ?? 0)
      }
    }
    store.knex.on("query-response", heard)
  })
}
