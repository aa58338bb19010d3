import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"

import { DemoProblem } from "./demo-problem.mjs"

const POLL_MS = 5
const TIMEOUT_MS = 60_000

/**
 * Waits for the order that nobody but the payment service asks for.
 *
 * Looks into the database: asking the store every few milliseconds would slow down the very work that is timed.
 *
 * @param {string} databaseUrl
 * @param {string} cartId
 * @param {AbortSignal} signal
 * @returns {Promise<{id: string, seenAt: number}>}
 */
export async function waitForOrder(databaseUrl, cartId, signal) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const deadline = Date.now() + TIMEOUT_MS
    while (Date.now() < deadline) {
      const { rows } = await client.query("SELECT order_id FROM order_cart WHERE cart_id = $1", [cartId])
      if (rows.length > 0) {
        return { id: rows[0].order_id, seenAt: Date.now() }
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  } finally {
    await client.end()
  }
  throw new DemoProblem(`No order ${String(TIMEOUT_MS / 1000)} s after the payment. See .demo/logs/store.log`)
}
