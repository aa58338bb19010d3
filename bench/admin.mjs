/**
 * Measures what the admin pages cost the database: the list, its searches and sorts, one row, the settlement report and
 * health, over 100,000 ledger rows with as many carts in a Postgres of its own. Each statement the plugin sends is
 * run again under EXPLAIN ANALYZE; the figure is what Postgres says it took, planning included. Needs a build.
 *
 * Usage: npm run bench:admin [-- --rows 100000 --explain]
 */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import pg from "pg"
import { startPostgres } from "../integration-tests/support/postgres.mjs"
import { seed } from "./seed.mjs"

const require = createRequire(import.meta.url)
const built = "../.medusa/server/src/modules/crypto-payments"
const { SearchLedger } = require(`${built}/ledger/search-ledger.js`)
const { readSettlements } = require(`${built}/ledger/settlement-report.js`)
const { readHealth } = require(`${built}/health.js`)
const { knex: connect } = require("@medusajs/framework/mikro-orm/knex")

const LIMIT_MS = 200
/** The best of these: what else the machine does is not what is measured. */
const RUNS = 3
const STORE = fileURLToPath(new URL("../examples/store", import.meta.url))
const DATABASE = "bench"

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    explain: { type: "boolean", default: false },
  },
})
const say = (line) => process.stdout.write(`${line}\n`)

const postgres = await startPostgres()
try {
  await postgres.createDatabase(DATABASE)
  say("migrating a store's database …")
  execFileSync("npx", ["medusa", "db:migrate", "--skip-scripts"], {
    cwd: STORE,
    env: { ...process.env, DATABASE_URL: postgres.url(DATABASE), MEDUSA_DISABLE_TELEMETRY: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const client = new pg.Client({ connectionString: postgres.url(DATABASE) })
  await client.connect()
  say(`seeding ${options.rows} rows …`)
  await seed(client, Number(options.rows))
  process.exitCode = (await measureAll(client)) ? 0 : 1
  await client.end()
} finally {
  await postgres.stop()
}

/** @returns whether everything stayed below the limit */
async function measureAll(client) {
  const knex = connect({ client: "pg", connection: postgres.url(DATABASE) })
  const search = new SearchLedger(knex)
  const list = (filter, by = "created_at", offset = 0) =>
    search.list(filter, { limit: 20, offset, sort: { by, descending: true } })
  const settle = (period, from, more = {}) =>
    readSettlements(knex, { period, from, to: "2099-01-01", timeZone: "Asia/Dubai", ...more })
  const registry = { list: async () => [], keys: () => ({ state: "missing" }) }
  const cases = {
    "list, newest first": () => list({}),
    "list, last page": () => list({}, "created_at", Number(options.rows) - 20),
    "list by amount": () => list({}, "amount"),
    "list by last check": () => list({}, "last_checked_at"),
    "list by attention": () => list({ attention: "open" }, "attention_since"),
    "filter: captured in AED": () => list({ state: ["captured"], currency: ["aed"] }),
    "filter: PAID in a month": () =>
      list({ status: ["PAID"], created_at: { $gte: new Date(Date.now() - 30 * 86_400_000) } }),
    "of one order": () => list({ order_id: "order_0000000124" }),
    "search: an id": () => list({ q: "cpreq_0000000124" }),
    "search: a beginning all have": () => list({ q: "cpreq_" }),
    "search: a reference": () => list({ q: "ref00" }),
    "search: order #100124": () => list({ q: "#100124" }),
    "search: an e-mail": () => list({ q: "guest124@example.test" }),
    "search: an account's e-mail": () => list({ q: "member124@" }),
    "search: an e-mail all begin with": () => list({ q: "guest1" + "@nobody" }),
    "one row": () => search.findDetail("cpreq_0000000124"),
    "settlements: 30 days by day": () => settle("day", daysAgo(30)),
    "settlements: a year by month": () => settle("month", daysAgo(365)),
    "settlements: everything by day": () => settle("day", "1990-01-01"),
    "settlements: everything by week, USD": () => settle("week", "1990-01-01", { currency: "usd" }),
    health: () => readHealth(knex, {}, registry, { list: async () => new Map() }),
  }
  say(`\n${"what".padEnd(40)}${"database".padStart(12)}${"statements".padStart(12)}`)
  let isFast = true
  for (const [name, run] of Object.entries(cases)) {
    const { ms, statements } = await measure(client, knex, run)
    isFast &&= ms < LIMIT_MS
    say(`${name.padEnd(40)}${`${ms.toFixed(1)} ms`.padStart(12)}${String(statements).padStart(12)}`)
  }
  say(`\n${isFast ? "all" : "NOT all"} below ${LIMIT_MS} ms`)
  await knex.destroy()
  return isFast
}

/** Runs once, listening to what is sent, then runs each statement three times under EXPLAIN ANALYZE; the best counts. */
async function measure(client, knex, run) {
  const sent = []
  const listen = ({ sql, bindings }) => sent.push({ sql, bindings })
  knex.on("query", listen)
  await run()
  knex.removeListener("query", listen)
  let ms = 0
  let statements = 0
  await client.query("BEGIN")
  for (const { sql, bindings } of sent) {
    if (/set_config/.test(sql)) {
      await client.query(sql)
    } else if (!/^\s*(BEGIN|COMMIT)/i.test(sql)) {
      let best
      for (let run = 0; run < RUNS; run++) {
        const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, bindings)
        const [plan] = rows[0]["QUERY PLAN"]
        best = best === undefined || tookMs(plan) < tookMs(best) ? plan : best
      }
      ms += tookMs(best)
      if (options.explain) {
        say(JSON.stringify(best, null, 1))
      }
      statements++
    }
  }
  await client.query("COMMIT")
  return { ms, statements }
}

function tookMs(plan) {
  return plan["Execution Time"] + plan["Planning Time"]
}

function daysAgo(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
