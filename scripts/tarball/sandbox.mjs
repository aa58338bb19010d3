import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { npmCommand } from "../../examples/demo/commands.mjs"
import { keep } from "../../integration-tests/support/keep.mjs"

/**
 * Starts the sandbox as the README says, from what the store has installed.
 *
 * @param {string} storeRoot
 * @param {{secretKey: string, token: string, port: number, storeUrl: string}} options
 * @param {import("./pack.mjs").Place} at
 */
export async function startPackedSandbox(storeRoot, { secretKey, token, port, storeUrl }, { logs, signal }) {
  const log = join(logs, "sandbox.log")
  const options = {
    "--port": String(port),
    "--secret": secretKey,
    "--token": token,
    "--webhook": `${storeUrl}/hooks/payment/crypto_default`,
  }
  // `npx` in words that never install anything.
  const command = npmCommand(["exec", "--no", "--", "medusa-payment-crypto", "sandbox"])
  const kept = keep({ commands: [[...command, ...Object.entries(options).flat()]], cwd: storeRoot, log })
  try {
    for (;;) {
      const baseUrl = existsSync(log) ? /base URL +(\S+)/.exec(readFileSync(log, "utf8"))?.[1] : undefined
      if (baseUrl !== undefined) {
        return { baseUrl, stop: kept.stop }
      }
      if (!kept.alive()) {
        throw new Error(`The sandbox did not start:\n${(await kept.ended).tail}`)
      }
      await sleep(100, undefined, { signal })
    }
  } catch (error) {
    await kept.stop()
    throw error
  }
}
