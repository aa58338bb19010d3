import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

import { checkOut } from "../../examples/demo/check-out.mjs"
import { npmCommand, runCommand, STORE_READY, untilReady } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { step } from "../../examples/demo/progress.mjs"
import { SHOPPERS } from "../../examples/demo/shopper.mjs"
import { storeEnvironment } from "../../examples/demo/store.mjs"
import { keep } from "../../integration-tests/support/keep.mjs"
import { freePort, query, startPostgres } from "../../integration-tests/support/postgres.mjs"
import { readJson } from "../managers.mjs"
import { openAdminPages } from "./admin-pages.mjs"

/** Every table and column of core's that the plugin's SQL names. */
const COLUMNS = readJson(join(ROOT, "integration-tests/support/core-columns.json"))

/**
 * @typedef {object} Place
 * @property {string} cwd what is made is in here
 * @property {string} log
 * @property {AbortSignal} signal
 * @property {NodeJS.ProcessEnv} env its PATH has the store's Node first
 */

/**
 * Migrates and fills a built store and starts it with the sandbox of its package. A shopper pays, and a merchant looks
 * at each page.
 *
 * @param {string} built the folder that is deployed
 * @param {Place} at
 */
export async function takePayment(built, at) {
  const endings = []
  const serve = async (name, command, ready, env) => {
    const log = join(at.cwd, `${name}.log`)
    const kept = keep({ commands: [command], cwd: built, env, log })
    endings.push(kept.stop)
    return await untilReady(kept, { name, log, ready, signal: at.signal })
  }
  try {
    const postgres = await step("Start Postgres", startPostgres)
    endings.push(postgres.stop)
    await postgres.createDatabase("store")
    const databaseUrl = postgres.url("store")
    const port = String(await freePort())
    const storeUrl = `http://localhost:${port}`
    const keys = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
    const sandbox = await sandboxCommand(storeUrl, keys)
    const [, baseUrl] = await step("Start the sandbox", () =>
      serve("sandbox", sandbox, /base URL +(\S+)/, at.env)
    )
    const env = {
      ...storeEnvironment({ databaseUrl, storeUrl, gateway: { ...keys, baseUrl }, withAdmin: true }),
      ...{ PATH: at.env.PATH, STORE_CORS: storeUrl, ADMIN_CORS: storeUrl, AUTH_CORS: storeUrl },
    }
    const run = (...args) => medusa(built, args, { ...at, env })
    await step("Migrate the database", () => run("db:migrate", "--execute-safe-links"))
    await step("Look for core's tables and columns", () => requireColumns(databaseUrl))
    const file = join(at.cwd, "seeded.json")
    await step("Seed the store", () => run("exec", "./src/scripts/seed.js", file))
    const start = [...cli(built), "start", "--host", "127.0.0.1", "--port", port]
    await step("Start the store", () => serve("store", start, STORE_READY, env))
    const running = { storeUrl, databaseUrl, seeded: readJson(file) }
    await checkOut(running, SHOPPERS.sam, at.signal)
    await step("Open pages in the admin", () => openAdminPages(running, at.signal))
  } finally {
    for (const end of endings.reverse()) {
      await end()
    }
  }
}

/** As the README says, from what the store has installed: `npx` in words that never install anything. */
async function sandboxCommand(storeUrl, { secretKey, token }) {
  return [
    ...npmCommand(["exec", "--no", "--", "medusa-payment-crypto", "sandbox"]),
    ...["--port", String(await freePort()), "--secret", secretKey, "--token", token],
    ...["--webhook", `${storeUrl}/hooks/payment/crypto_default`],
  ]
}

/** Refuses a Medusa whose database does not have all that our SQL names. */
async function requireColumns(databaseUrl) {
  const sql = "SELECT table_name || '.' || column_name AS name FROM information_schema.columns"
  const { rows } = await query(databaseUrl, sql)
  const there = new Set(rows.map(({ name }) => name))
  const named = Object.entries(COLUMNS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  const missing = named.filter((name) => !there.has(name))
  if (missing.length > 0) {
    throw new Error(`Our SQL names what this Medusa does not have:\n  ${missing.join("\n  ")}`)
  }
}

/** Runs Medusa's command in a folder of the store. */
export async function medusa(folder, args, at) {
  await runCommand({ name: `medusa ${args[0]}`, ...at, command: [...cli(folder), ...args], cwd: folder })
}

function cli(folder) {
  return ["node", join(dirname(packageFile(folder, "@medusajs/cli")), "cli.js")]
}

/**
 * @param {string} folder of the store
 * @param {string} name of an installed package
 * @returns {string} its package.json, as the store finds it
 */
export function packageFile(folder, name) {
  const paths = createRequire(join(folder, "x.js")).resolve.paths(name) ?? []
  const file = paths.map((path) => join(path, name, "package.json")).find(existsSync)
  if (file === undefined) {
    throw new Error(`${name} is not installed in ${folder}`)
  }
  return file
}
