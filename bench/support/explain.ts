import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Client } from "pg"

/** The best of these counts: what else the machine does is not what is measured. */
const RUNS = 5

interface PlanNode {
  "Node Type": string
  "Index Name"?: string
  "Relation Name"?: string
  Plans?: PlanNode[]
}

interface ExplainedPlan {
  Plan: PlanNode
  "Planning Time": number
  "Execution Time": number
}

export interface Explained {
  /** What Postgres says: planning and execution. */
  tookMs: number
  /** What it read, and by which index. */
  reads: string[]
}

/**
 * Runs once, listening to what knex sends, then each statement under EXPLAIN ANALYZE, with the settings it was sent with.
 *
 * @param client another connection to the same database: what was sent has Postgres' own placeholders
 */
export async function explainAll(client: Client, knex: Knex, run: () => Promise<unknown>) {
  const sent: { sql: string; bindings?: unknown[] }[] = []
  const listen = (query: (typeof sent)[number]): void => void sent.push(query)
  knex.on("query", listen)
  await run()
  knex.removeListener("query", listen)
  const explained: Explained[] = []
  await client.query("BEGIN")
  for (const { sql, bindings } of sent) {
    if (sql.includes("set_config")) {
      await client.query(sql)
    } else if (!/^\s*(BEGIN|COMMIT)/i.test(sql)) {
      explained.push(await explain(client, sql, bindings ?? []))
    }
  }
  await client.query("COMMIT")
  return explained
}

async function explain(client: Client, sql: string, bindings: unknown[]): Promise<Explained> {
  const runs: Explained[] = []
  for (let run = 0; run < RUNS; run++) {
    const { rows } = await client.query<{ "QUERY PLAN": ExplainedPlan[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      bindings
    )
    const plan = rows[0]?.["QUERY PLAN"][0]
    if (plan === undefined) {
      throw new Error("EXPLAIN gave no plan")
    }
    runs.push({ tookMs: plan["Planning Time"] + plan["Execution Time"], reads: readsOf(plan.Plan) })
  }
  return runs.reduce((best, other) => (other.tookMs < best.tookMs ? other : best))
}

function readsOf(node: PlanNode): string[] {
  const read = node["Index Name"] ?? node["Relation Name"]
  const below = (node.Plans ?? []).flatMap(readsOf)
  return read === undefined ? below : [...new Set([`${node["Node Type"]}: ${read}`, ...below])]
}
