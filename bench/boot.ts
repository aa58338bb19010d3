/**
 * What the plugin adds to a store that does nothing: how long `medusa start` takes until it listens, and the memory it
 * then holds, with the plugin and without it. And what browsers load. The same built store and database on both sides.
 */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import { freePort } from "../integration-tests/support/cluster/kept"
import { buildStore, keep, run, startPostgres } from "../integration-tests/support/cluster/kept"
import { BUILT_STORE, MEDUSA_CLI, STATE } from "../integration-tests/support/cluster/paths"
import { postgresVersion } from "./support/postgres-version"
import { median, ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"

const ROUNDS = 5
const DATABASE = "boot"
const START_TIMEOUT_MS = 120_000
/** Until what a start leaves behind is collected and the figure no longer changes. */
const IDLE_MS = 4000
/** Next to the store with the plugin, so that both find the same packages. */
const BARE_STORE = path.join(path.dirname(BUILT_STORE), "server-without-plugin")
const REPORT_MEMORY = path.join(__dirname, "support/report-memory.cjs")
const PLUGIN = "medusa-payment-crypto"

interface Boot {
  seconds: number
  residentMb: number
}

const folder = mkdtempSync(path.join(tmpdir(), "medusa-payment-crypto-boot-"))

void main().finally(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(BARE_STORE, { recursive: true, force: true })
})

async function main(): Promise<void> {
  const postgres = await startPostgres()
  try {
    await postgres.createDatabase(DATABASE)
    const env = storeEnvironment(postgres.url(DATABASE))
    mkdirSync(path.join(STATE, "logs"), { recursive: true })
    await buildStore(env)
    makeBareStore()
    const migrate = [process.execPath, MEDUSA_CLI, "db:migrate", "--execute-safe-links"]
    await run("medusa db:migrate", { command: migrate, cwd: BUILT_STORE, env })
    const connection = knex({ client: "pg", connection: postgres.url(DATABASE) })
    const version = await postgresVersion(connection)
    await connection.destroy()
    report(version, await bootInTurns(env))
  } finally {
    await postgres.stop()
  }
}

async function bootInTurns(env: NodeJS.ProcessEnv): Promise<{ withPlugin: Boot[]; without: Boot[] }> {
  const boots: { withPlugin: Boot[]; without: Boot[] } = { withPlugin: [], without: [] }
  // The first of each fills the caches of the disk.
  await boot(BUILT_STORE, env)
  await boot(BARE_STORE, env)
  for (let i = 0; i < ROUNDS; i++) {
    boots.withPlugin.push(await boot(BUILT_STORE, env))
    boots.without.push(await boot(BARE_STORE, env))
  }
  return boots
}

/** The same build, with a medusa-config that names neither the plugin nor its provider. */
function makeBareStore(): void {
  rmSync(BARE_STORE, { recursive: true, force: true })
  cpSync(BUILT_STORE, BARE_STORE, { recursive: true, verbatimSymlinks: true })
  cpSync(path.join(BARE_STORE, "medusa-config.js"), path.join(BARE_STORE, "with-plugin.js"))
  writeFileSync(
    path.join(BARE_STORE, "medusa-config.js"),
    `const config = require("./with-plugin.js")
config.plugins = config.plugins.filter(({ resolve }) => resolve !== "${PLUGIN}")
config.modules.payment = { resolve: "@medusajs/medusa/payment" }
module.exports = config
`
  )
}

async function boot(cwd: string, env: NodeJS.ProcessEnv): Promise<Boot> {
  const name = randomBytes(6).toString("hex")
  const [log, memory] = [path.join(folder, `${name}.log`), path.join(folder, `${name}.json`)]
  const port = await freePort()
  const startedAt = performance.now()
  const store = await keep({
    commands: [[process.execPath, MEDUSA_CLI, "start", "--host", "127.0.0.1", "--port", String(port)]],
    cwd,
    env: { ...env, NODE_OPTIONS: `--require ${REPORT_MEMORY}`, BENCH_MEMORY_FILE: memory },
    log,
    stopSignal: "SIGKILL",
  })
  try {
    while (!(existsSync(log) && readFileSync(log, "utf8").includes("Server is ready on port"))) {
      if (!store.alive() || performance.now() - startedAt > START_TIMEOUT_MS) {
        throw new Error(`the store did not start: ${readFileSync(log, "utf8").slice(-2000)}`)
      }
      await delay(20)
    }
    const seconds = (performance.now() - startedAt) / 1000
    await delay(IDLE_MS)
    const { rss } = JSON.parse(readFileSync(memory, "utf8")) as { rss: number }
    return { seconds, residentMb: rss / 2 ** 20 }
  } finally {
    await store.stop()
  }
}

function report(postgres: string, boots: { withPlugin: Boot[]; without: Boot[] }): void {
  const [withPlugin, without] = [summary(boots.withPlugin), summary(boots.without)]
  const sizes = [bundleSize("check-admin-size.mjs"), bundleSize("check-storefront-size.mjs")]
  writeReport("boot", {
    postgres,
    table: [
      ["what", "with the plugin", "without", "ratio"],
      [
        "seconds until it listens",
        withPlugin.seconds,
        without.seconds,
        ratio(withPlugin.seconds, without.seconds),
      ],
      [
        "resident memory, MB",
        withPlugin.residentMb,
        without.residentMb,
        ratio(withPlugin.residentMb, without.residentMb),
      ],
      ...sizes.map(([name, size]) => [name, size, "", ""]),
    ],
  })
}

function summary(boots: Boot[]): Boot {
  return {
    seconds: round(median(boots.map(({ seconds }) => seconds))),
    residentMb: Math.round(median(boots.map(({ residentMb }) => residentMb))),
  }
}

/** As the check of the bundle's size measures it: its name, and its bytes. */
function bundleSize(script: string): [string, number] {
  const root = path.resolve(__dirname, "..")
  const said = execFileSync(process.execPath, [path.join(root, "scripts", script)], {
    cwd: root,
    encoding: "utf8",
  })
  const [name = "", size = ""] = said.split(": ")
  return [`${name}, bytes gzipped`, Number.parseInt(size)]
}

function storeEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    NODE_OPTIONS: "",
    MEDUSA_DISABLE_TELEMETRY: "1",
    DATABASE_URL: databaseUrl,
    ADMIN_DISABLED: "true",
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
    CRYPTO_PAYMENTS_BASE_URL: "http://127.0.0.1:1/v1",
    CRYPTO_PAYMENTS_SECRET_KEY: randomBytes(24).toString("hex"),
  }
}
