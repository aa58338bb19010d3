import { join } from "node:path"

import { npmCommand, untilReady } from "../../examples/demo/commands.mjs"
import { keep } from "../../integration-tests/support/keep.mjs"

/** Starts the sandbox as the README says, from what the store has installed. */
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
  const [, baseUrl = ""] = await untilReady(kept, {
    name: "The sandbox",
    log,
    ready: /base URL +(\S+)/,
    signal,
  })
  return { baseUrl, stop: kept.stop }
}
