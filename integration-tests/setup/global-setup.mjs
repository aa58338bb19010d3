import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { startPostgres } from "../support/postgres.mjs"
import { endAfterRun } from "./endings.mjs"

const STORE = fileURLToPath(new URL("../../examples/store", import.meta.url))
const MEDUSA_CLI = fileURLToPath(new URL("../../node_modules/@medusajs/cli/cli.js", import.meta.url))

/** Gives the integration tests a Postgres, unless the developer named one through DATABASE_URL or DB_*. */
export default async function globalSetup() {
  process.env["MEDUSA_DISABLE_TELEMETRY"] = "1"
  if (process.env["DATABASE_URL"]) {
    useUrl(new URL(process.env["DATABASE_URL"]))
    return
  }
  if (process.env["DB_HOST"] || process.env["DB_PORT"]) {
    return
  }
  const postgres = await startPostgres()
  endAfterRun(postgres.stop)
  Object.assign(process.env, {
    DB_HOST: postgres.host,
    DB_PORT: String(postgres.port),
    DB_USERNAME: postgres.user,
    DB_PASSWORD: postgres.password,
  })
  await migrate(postgres.url("template1"))
}

/**
 * Postgres copies this database into every new one, so each spec's own finds its migrations done.
 *
 * @param {string} databaseUrl
 */
async function migrate(databaseUrl) {
  await promisify(execFile)(process.execPath, [MEDUSA_CLI, "db:migrate", "--execute-safe-links"], {
    cwd: STORE,
    env: { ...process.env, DATABASE_URL: databaseUrl, ADMIN_DISABLED: "true", NODE_OPTIONS: "" },
  })
}

/**
 * Medusa's test runner knows DB_* only; it makes and drops databases of its own there.
 *
 * @param {URL} url
 */
function useUrl(url) {
  Object.assign(process.env, {
    DB_HOST: url.hostname,
    DB_PORT: url.port || "5432",
    DB_USERNAME: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
  })
}
