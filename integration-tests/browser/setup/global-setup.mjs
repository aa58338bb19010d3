import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

import { startSandbox } from "medusa-payment-crypto/sandbox"

import { buildShop, buildStore } from "../../../examples/demo/builds.mjs"
import { logIn } from "../../../examples/demo/captured-once.mjs"
import { logFile, LOGS } from "../../../examples/demo/paths.mjs"
import { seed, startStore, storeEnvironment } from "../../../examples/demo/store.mjs"
import { serveShop } from "../../../examples/storefront/serve.mjs"
import "../../setup/clean-environment.js"
import { endAfterRun } from "../../setup/endings.mjs"
import { freePort, startMigratedPostgres } from "../../support/postgres.mjs"
import { startBrowser } from "./browser.mjs"

const DATABASE = "browser"
const NO_GATEWAY = { baseUrl: "", secretKey: "", token: "" }
const NO_SCHEDULE = fileURLToPath(new URL("no-schedule.cjs", import.meta.url))

/**
 * @typedef {object} Shop
 * @property {string} url
 * @property {Record<string, string>} [env] what the store has to know of it, besides its address
 * @property {() => unknown} close
 * @property {(publishableKey: string) => Promise<void>} open once the store is up
 */

export default async function globalSetup() {
  await bringUp(openExampleShop)
}

/** The store has to know the shop's address, and the shop the key that the store's seed makes. */
async function openExampleShop(storeUrl, signal) {
  const config = { storeUrl, publishableKey: "" }
  const { url, close } = await serveShop(0, config)
  await buildShop(signal)
  return { url, close, open: async (publishableKey) => void Object.assign(config, { publishableKey }) }
}

/**
 * Brings up what the specs look at: the built store with its admin, a gateway, a shop and a browser. What they need to
 * know of it is in the environment.
 *
 * @param {(storeUrl: string, signal: AbortSignal) => Promise<Shop>} openShop
 */
export async function bringUp(openShop) {
  const { signal } = new AbortController()
  const postgres = await startMigratedPostgres()
  endAfterRun(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const gateway = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const port = await freePort()
  const storeUrl = `http://localhost:${String(port)}`
  const sandbox = await startSandbox({
    port: 0,
    secretKey: gateway.secretKey,
    webhookUrl: `${storeUrl}/hooks/payment/crypto_default`,
    auth: { bearerToken: gateway.token },
  })
  endAfterRun(() => sandbox.close())

  const shop = await openShop(storeUrl, signal)
  endAfterRun(shop.close)
  const databaseUrl = postgres.url(DATABASE)
  const env = {
    // Its connection is for the merchant to set up, in the admin.
    ...storeEnvironment({ databaseUrl, storeUrl, shopUrl: shop.url, gateway: NO_GATEWAY, withAdmin: true }),
    CRYPTO_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...shop.env,
    // The test runner's flags are not the store's.
    NODE_OPTIONS: "",
  }
  // An earlier store's log says that it is ready.
  rmSync(LOGS, { recursive: true, force: true })
  mkdirSync(LOGS, { recursive: true })
  await buildStore(env, true, signal)
  const seeded = await seed(env, signal)
  const store = await startStore(port, { ...env, NODE_OPTIONS: `--require "${NO_SCHEDULE}"` }, signal)
  endAfterRun(store.stop)
  if (!readFileSync(logFile("store"), "utf8").includes("does not run by itself")) {
    throw new Error(`${NO_SCHEDULE} has found no job of the store: they would change what the tests look at.`)
  }
  // What most specs take as given: the provider is set up, and what it knows was saved through the admin.
  const merchant = await logIn(storeUrl, seeded.admin, signal)
  await merchant.post("/admin/crypto-payments/settings/pp_crypto_default", {
    ...{ version: 0, base_url: sandbox.baseUrl, secret_key: gateway.secretKey },
    auth: { type: "bearer", token: gateway.token },
  })
  await shop.open(seeded.publishableKey)
  const browser = await startBrowser()
  endAfterRun(() => browser.close())

  process.env["BROWSER_TEST"] = JSON.stringify({
    storeUrl,
    shopUrl: shop.url,
    seeded,
    databaseUrl,
    gateway: { ...gateway, url: sandbox.url, baseUrl: sandbox.baseUrl },
    browser: browser.wsEndpoint(),
    env,
  })
}
