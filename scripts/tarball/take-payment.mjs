import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"

import { checkOut } from "../../examples/demo/check-out.mjs"
import { say, step } from "../../examples/demo/progress.mjs"
import { SHOPPERS } from "../../examples/demo/shopper.mjs"
import { storeEnvironment } from "../../examples/demo/store.mjs"
import { freePort, startPostgres } from "../../integration-tests/support/postgres.mjs"
import { requireColumns } from "./core-columns.mjs"
import { startPackedSandbox } from "./sandbox.mjs"

const DATABASE = "store"

/**
 * @typedef {object} RunningStore
 * @property {string} storeUrl
 * @property {import("../../examples/demo/store.mjs").Seeded} seeded
 */

/**
 * Builds an installed store, migrates it, fills it, starts it with the sandbox of the tarball, and checks out once.
 *
 * @param {import("./pack.mjs").Place & {
 *   withAdmin: boolean,
 *   endings: (() => Promise<void> | void)[],
 * }} at what is in `endings` ends what was started here, last one first
 * @returns {Promise<RunningStore>} with one paid order
 */
export async function takePayment(store, { withAdmin, endings, ...at }) {
  const postgres = await step("Start Postgres", startPostgres)
  endings.push(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const port = await freePort()
  const storeUrl = `http://localhost:${String(port)}`
  const gateway = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await step("Start the sandbox from the tarball", async () =>
    startPackedSandbox(store.root, { ...gateway, port: await freePort(), storeUrl }, at)
  )
  endings.push(sandbox.stop)

  const databaseUrl = postgres.url(DATABASE)
  const env = {
    ...storeEnvironment({
      databaseUrl,
      storeUrl,
      gateway: { ...gateway, baseUrl: sandbox.baseUrl },
      withAdmin,
    }),
    ...store.environment(storeUrl),
  }
  const inDatabase = async () => {
    await step("Migrate the database", () => store.migrate(env))
    await step("Look for core's tables and columns", () => requireColumns(databaseUrl))
  }
  try {
    await step("Build the store", () => store.build(env))
  } catch (error) {
    // A store that cannot be built is migrated from its sources: what else does not fit is said, too.
    store.built = existsSync(store.built) ? store.built : store.root
    await inDatabase().catch((another) => say(String(another)))
    throw error
  }
  await inDatabase()
  const seeded = await step("Seed the store", () => store.seed(env))
  const running = await step("Start the store", () => store.start(port, env))
  endings.push(running.stop)

  say("\nA shopper checks out")
  await checkOut({ storeUrl, databaseUrl, seeded, store: running }, SHOPPERS.sam, at.signal)
  return { storeUrl, seeded }
}
