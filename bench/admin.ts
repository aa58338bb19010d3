/**
 * What the admin's pages cost the database: the list, its searches and sorts, one row, the settlement report and health,
 * over 100,000 ledger rows with as many carts in a Postgres of its own. Each statement the plugin sends is run again
 * under EXPLAIN ANALYZE; the figure is what Postgres says it took, planning included.
 */
import { execFileSync } from "node:child_process"
import path from "node:path"
import { knex as connect, type Knex } from "@medusajs/framework/mikro-orm/knex"
import { Client } from "pg"
import { Audits } from "../.medusa/server/src/modules/crypto-payments/audit/audits"
import { ReconciliationRuns } from "../.medusa/server/src/modules/crypto-payments/reconciliation/runs"
import type { RequestFilter } from "../.medusa/server/src/modules/crypto-payments/reports/request-filter"
import { HealthChecks } from "../.medusa/server/src/modules/crypto-payments/health/health"
import { PaymentSearch, type ListQuery } from "../.medusa/server/src/modules/crypto-payments/reports/search"
import {
  SettlementReports,
  type SettlementQuery,
} from "../.medusa/server/src/modules/crypto-payments/reports/settlement-report"
import { startPostgres } from "../integration-tests/support/cluster/kept"
import { explainAll, type Explained } from "./support/explain"
import { postgresVersion } from "./support/postgres-version"
import { round } from "./support/quantiles"
import { writeReport } from "./support/report"
import { insertTwoYears, REFERENCE, WHOLESALE_EMAIL } from "./support/two-years"

const ROWS = 100_000
const LIMIT_MS = 200
const STORE = path.resolve(__dirname, "../examples/store")
const DATABASE = "bench"

void main()

async function main(): Promise<void> {
  const postgres = await startPostgres()
  try {
    await postgres.createDatabase(DATABASE)
    execFileSync("npx", ["medusa", "db:migrate", "--skip-scripts"], {
      cwd: STORE,
      env: { ...process.env, DATABASE_URL: postgres.url(DATABASE), MEDUSA_DISABLE_TELEMETRY: "1" },
      stdio: ["ignore", "ignore", "inherit"],
    })
    const client = new Client({ connectionString: postgres.url(DATABASE) })
    await client.connect()
    await insertTwoYears(client, ROWS)
    const knex = connect({ client: "pg", connection: postgres.url(DATABASE) })
    await measure(client, knex)
    await knex.destroy()
    await client.end()
  } finally {
    await postgres.stop()
  }
}

async function measure(client: Client, knex: Knex): Promise<void> {
  const figures: Record<string, { ms: number; statements: Explained[] }> = {}
  for (const [name, run] of Object.entries(casesOf(knex))) {
    const statements = await explainAll(client, knex, run)
    const ms = round(statements.reduce((sum, { tookMs }) => sum + tookMs, 0))
    figures[name] = { ms, statements }
  }
  const measured = Object.entries(figures)
  writeReport("admin", {
    postgres: await postgresVersion(knex),
    table: [
      [`${ROWS.toLocaleString("en")} ledger rows, of two years`, "milliseconds in Postgres", "statements"],
      ...measured.map(([name, { ms, statements }]) => [name, ms, statements.length]),
    ],
    figures: { rows: ROWS, limitMs: LIMIT_MS, cases: figures },
  })
  const slow = measured.filter(([, { ms }]) => ms >= LIMIT_MS).map(([name]) => name)
  if (slow.length > 0) {
    process.stderr.write(`not below ${String(LIMIT_MS)} ms: ${slow.join("; ")}\n`)
    process.exitCode = 1
  }
}

const EVERYTHING = { customers: true, users: true, orders: true }

function casesOf(knex: Knex): Record<string, () => Promise<unknown>> {
  const search = new PaymentSearch(knex)
  const settlements = new SettlementReports(knex)
  const list = async (filter: RequestFilter, page: Partial<ListQuery> = {}) =>
    await search.list(
      { limit: 20, offset: 0, order: "-created_at", totals: false, ...filter, ...page },
      EVERYTHING
    )
  const settle = async (period: SettlementQuery["period"], from: string, currency?: string) =>
    await settlements.read({ period, from, time_zone: "Asia/Dubai", currency })
  const statuses = { list: async () => await Promise.resolve(new Map()) }
  return {
    "list, newest first": async () => await list({}),
    "list, last page": async () => await list({}, { offset: ROWS - 20 }),
    "list by amount": async () => await list({}, { order: "-amount" }),
    "list by last check": async () => await list({}, { order: "-last_checked_at" }),
    "list by attention": async () => await list({ attention: "open" }, { order: "-attention_since" }),
    "filter: captured in AED": async () => await list({ state: ["captured"], currency: ["aed"] }),
    "filter: PAID in a month": async () =>
      await list({ status: ["PAID"], created_at: { $gte: new Date(Date.now() - 30 * 86_400_000) } }),
    "of one order": async () => await list({ order_id: "order_0000000124" }),
    "search: an id": async () => await list({ q: "cpreq_0000000124" }),
    "search: a reference": async () => await list({ q: REFERENCE }),
    "search: order #100124": async () => await list({ q: "#100124" }),
    "search: an e-mail": async () => await list({ q: "guest124@example.test" }),
    "search: an e-mail of 20,000 payments": async () => await list({ q: WHOLESALE_EMAIL }),
    "search: an e-mail nobody has": async () => await list({ q: "nobody@example.test" }),
    "filter: paid in BTC in a month": async () =>
      await list({ coin: ["BTC"], paid_at: { $gte: new Date(Date.now() - 30 * 86_400_000) } }),
    "list, totals of everything": async () => await list({}, { totals: true }),
    "list, totals of a month": async () =>
      await list({ created_at: { $gte: new Date(Date.now() - 30 * 86_400_000) } }, { totals: true }),
    "one row": async () =>
      await search.requireDetail("cpreq_0000000124", EVERYTHING, { limit: 20, offset: 0 }),
    "settlements: 30 days by day": async () => await settle("day", daysAgo(30)),
    "settlements: a year by month": async () => await settle("month", daysAgo(365)),
    "settlements: everything by day": async () => await settle("day", daysAgo(3600)),
    "settlements: everything by week, USD": async () => await settle("week", daysAgo(3600), "usd"),
    health: async () =>
      await new HealthChecks(knex, {}, {
        settings: {
          list: async () => await Promise.resolve([]),
        },
        statuses,
        reconciliations: new ReconciliationRuns(knex),
        audits: new Audits(...([knex] as unknown as ConstructorParameters<typeof Audits>)),
        // The stores of this benchmark have no settings of their own.
        settingsEditor: {
          list: async () =>
            await Promise.resolve({ settings: [], encryption_key: { state: "missing", message: null } }),
          findHostsNotAllowed: async () => await Promise.resolve([]),
        },
      } as unknown as ConstructorParameters<typeof HealthChecks>[2]).read(),
  }
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
