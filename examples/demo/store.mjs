import { randomBytes } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

import { keep } from "../../integration-tests/support/keep.mjs"
import { runCommand, STORE_READY, untilReady } from "./commands.mjs"
import { BUILT_STORE, logFile, MEDUSA_CLI, STATE } from "./paths.mjs"

/**
 * What `seed.ts` writes.
 *
 * @typedef {object} Seeded
 * @property {string} publishableKey
 * @property {{usd: string, aed: string}} regions
 * @property {string} salesChannelId
 * @property {string} variantId
 * @property {string[]} variantIds
 * @property {string} stockLocationId
 * @property {string} shippingOptionId
 * @property {{email: string, password: string}} admin
 */

/** @param {{databaseUrl: string, storeUrl: string, shopUrl?: string, gateway: {baseUrl: string, secretKey: string, token: string}, withAdmin: boolean}} options */
export function storeEnvironment({ databaseUrl, storeUrl, shopUrl = storeUrl, gateway, withAdmin }) {
  return {
    ...process.env,
    NODE_ENV: "production",
    MEDUSA_DISABLE_TELEMETRY: "1",
    DATABASE_URL: databaseUrl,
    BACKEND_URL: storeUrl,
    // Without a shop of its own the example store answers the payer's return itself.
    STOREFRONT_URL: shopUrl,
    ADMIN_DISABLED: String(!withAdmin),
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
    CRYPTO_PAYMENTS_BASE_URL: gateway.baseUrl,
    CRYPTO_PAYMENTS_SECRET_KEY: gateway.secretKey,
    CRYPTO_PAYMENTS_TOKEN: gateway.token,
    CRYPTO_PAYMENTS_PUBLIC_URL: storeUrl,
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 */
export async function migrate(env, signal) {
  await medusa("Migrating the database", "migrate", ["db:migrate", "--execute-safe-links"], env, signal)
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 * @returns {Promise<Seeded>}
 */
export async function seed(env, signal) {
  const file = join(STATE, "seeded.json")
  await medusa("Seeding the store", "seed", ["exec", "./src/scripts/seed.js", file], env, signal)
  const seeded = /** @type {Seeded} */ (JSON.parse(readFileSync(file, "utf8")))
  rmSync(file)
  return seeded
}

/**
 * @param {string} name
 * @param {string} log
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 */
async function medusa(name, log, args, env, signal) {
  const command = [process.execPath, MEDUSA_CLI, ...args]
  await runCommand({ name, command, cwd: BUILT_STORE, env, log: logFile(log), signal })
}

/**
 * Starts the built store and waits until it listens.
 *
 * @param {number} port
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 */
export async function startStore(port, env, signal) {
  const log = logFile("store")
  const kept = keep({
    // On loopback only: nobody else is meant to see it.
    commands: [[process.execPath, MEDUSA_CLI, "start", "--host", "127.0.0.1", "--port", String(port)]],
    cwd: BUILT_STORE,
    env,
    log,
  })
  await untilReady(kept, { name: "The store", log, ready: STORE_READY, signal })
  return kept
}
