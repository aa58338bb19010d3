import { AsyncLocalStorage } from "node:async_hooks"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import type { StoreUnderTest } from "./store-under-test"

/** One node of a plan as Postgres ran it. */
export interface PlanNode {
  "Node Type": string
  "Index Name"?: string
  "Relation Name"?: string
  "Actual Rows": number
  "Actual Loops": number
  "Rows Removed by Filter"?: number
  "Shared Hit Blocks": number
  "Shared Read Blocks": number
  Plans?: PlanNode[]
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Rows of tables that were read, kept or thrown away. */
export const rowsTouched = (plan: PlanNode, table?: string): number =>
  nodesOf(plan)
    .filter((node) => node["Relation Name"] !== undefined && node["Node Type"] !== "ModifyTable")
    .filter((node) => table === undefined || node["Relation Name"] === table)
    .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
    .reduce((sum, rows) => sum + rows, 0)

/** Tables that were read from end to end. */
export const readWhole = (plan: PlanNode): (string | undefined)[] =>
  nodesOf(plan)
    .filter((node) => node["Node Type"] === "Seq Scan")
    .map((node) => node["Relation Name"])

/** Whether a statement is sent by what is looked at, and not by what the store does meanwhile. */
const isLookedAt = new AsyncLocalStorage<boolean>()

/**
 * The plans of the statements about payment requests and refunds that the ledger itself sends, as they ran. What the
 * store sends meanwhile, by a subscriber or a timer, is left out.
 *
 * @param prepare makes what they find. They run twice: once as they are sent, once to be explained
 */
export async function explainAll(
  store: StoreUnderTest,
  send: (ledger: CryptoPaymentsModuleService) => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => await Promise.resolve()
): Promise<PlanNode[]> {
  await prepare()
  const sent: { sql: string; bindings: unknown[] }[] = []
  const listen = (query: { sql: string; bindings: unknown[] }): void => {
    if (isLookedAt.getStore() === true) {
      sent.push(query)
    }
  }
  store.knex.on("query", listen)
  await isLookedAt.run(
    true,
    async () => await send(store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments"))
  )
  store.knex.off("query", listen)
  const plans: PlanNode[] = []
  for (const { sql, bindings } of sent.filter(({ sql }) => /crypto_payment_re(quest|fund)/.test(sql))) {
    await prepare()
    const { rows } = await store.knex.raw<{ rows: { "QUERY PLAN": [{ Plan: PlanNode }] }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql.replaceAll(/\$\d+/g, "?")}`,
      bindings as string[]
    )
    plans.push(...rows.map((row) => row["QUERY PLAN"][0].Plan))
  }
  return plans
}
