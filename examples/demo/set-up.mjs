import { randomBytes } from "node:crypto"

import { startPostgres } from "../../integration-tests/support/postgres.mjs"
import { serveShop } from "../storefront/serve.mjs"
import { buildPlugin, buildShop, buildStore } from "./builds.mjs"
import { step } from "./progress.mjs"
import { migrate, seed, startStore, storeEnvironment } from "./store.mjs"

const DATABASE = "store"

/**
 * @typedef {object} Setting
 * @property {string} storeUrl
 * @property {string} shopUrl where the payer comes back to
 * @property {string} sandboxUrl
 * @property {string} databaseUrl
 * @property {import("./store.mjs").Seeded} seeded
 * @property {import("../../integration-tests/support/keep.mjs").Kept} store
 */

/**
 * Brings up everything a checkout needs, and registers how each part ends.
 *
 * @param {import("./options.mjs").DemoOptions} options
 * @param {AbortSignal} signal
 * @param {import("./run-demo.mjs").AtEnd} atEnd
 * @returns {Promise<Setting>}
 */
export async function setUp(options, signal, atEnd) {
  const storeUrl = `http://localhost:${String(options.port)}`
  // A run without a user needs no pages: then the example store answers the payer's return itself.
  const shopUrl = options.once ? storeUrl : `http://localhost:${String(options.shopPort)}`
  await step("Build the plugin", () => buildPlugin(signal), String)
  const postgres = await step("Start Postgres", startPostgres, ({ port }) => `port ${String(port)}`)
  atEnd(postgres.stop)
  signal.throwIfAborted()
  await postgres.createDatabase(DATABASE)
  const databaseUrl = postgres.url(DATABASE)

  const gateway = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await step("Start the payment sandbox", () =>
    startSandbox(options.sandboxPort, gateway, `${storeUrl}/hooks/payment/crypto_default`)
  )
  atEnd(() => sandbox.close())

  const env = storeEnvironment({
    databaseUrl,
    storeUrl,
    shopUrl,
    gateway: { ...gateway, baseUrl: sandbox.baseUrl },
    withAdmin: !options.once,
  })
  const building = options.once ? "Build the store" : "Build the store and its admin"
  await step(building, () => buildStore(env, !options.once, signal), String)
  if (!options.once) {
    await step("Build the shop", () => buildShop(signal), String)
  }
  await step("Migrate the database", () => migrate(env, signal))
  const seeded = await step("Seed the store", () => seed(env, signal))
  const store = await step("Start the store", () => startStore(options.port, env, signal))
  atEnd(store.stop)
  if (!options.once) {
    const { publishableKey } = seeded
    const shop = await step("Start the shop", () => serveShop(options.shopPort, { storeUrl, publishableKey }))
    atEnd(shop.close)
  }
  return { storeUrl, shopUrl, sandboxUrl: sandbox.url, databaseUrl, seeded, store }
}

/**
 * @param {number} port
 * @param {{secretKey: string, token: string}} gateway
 * @param {string} webhookUrl
 */
async function startSandbox(port, { secretKey, token }, webhookUrl) {
  // Built by the first step, so it cannot be imported before.
  const { startSandbox: start } = await import("medusa-payment-crypto/sandbox")
  return start({ port, secretKey, webhookUrl, auth: { bearerToken: token }, merchantName: "Coffee Shop" })
}
