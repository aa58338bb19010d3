import { randomBytes } from "node:crypto"

import { startSandbox } from "medusa-payment-crypto/sandbox"

import { buildStore } from "../../../examples/demo/builds.mjs"
import { migrate, seed, startStore, storeEnvironment } from "../../../examples/demo/store.mjs"
import { freePort, startPostgres } from "../../support/postgres.mjs"
import { startBrowser } from "./browser.mjs"
import { endAll } from "./endings.mjs"

const DATABASE = "browser"

/**
 * Brings up what the specs look at: the built store with its admin, a gateway and a browser. What they need to know of it
 * is in the environment.
 */
export default async function globalSetup() {
  try {
    await bringUp()
  } catch (error) {
    // Without this the processes that did start would outlive a failed set-up until jest's own end.
    await endAll()
    throw error
  }
}

async function bringUp() {
  /** @type {import("./endings.mjs").EndingsHolder} */
  const holder = globalThis
  const endings = (holder.browserTestEndings = [])
  const { signal } = new AbortController()
  const postgres = await startPostgres()
  endings.push(postgres.stop)
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
  endings.push(() => sandbox.close())

  const env = storeEnvironment({
    databaseUrl: postgres.url(DATABASE),
    storeUrl,
    gateway: { ...gateway, baseUrl: sandbox.baseUrl },
    withAdmin: true,
  })
  // The test runner's flags are not the store's.
  Object.assign(env, { NODE_OPTIONS: "", CRYPTO_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") })
  await buildStore(env, true, signal)
  await migrate(env, signal)
  const seeded = await seed(env, signal)
  const store = await startStore(port, env, signal)
  endings.push(store.stop)
  const browser = await startBrowser()
  endings.push(() => browser.close())

  process.env["BROWSER_TEST"] = JSON.stringify({
    storeUrl,
    seeded,
    databaseUrl: postgres.url(DATABASE),
    gateway: { ...gateway, url: sandbox.url, baseUrl: sandbox.baseUrl },
    browser: browser.wsEndpoint(),
    env,
  })
}
