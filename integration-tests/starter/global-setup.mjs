import { createRequire } from "node:module"
import { join } from "node:path"

import { runCommand, untilReady } from "../../examples/demo/commands.mjs"
import { logFile } from "../../examples/demo/paths.mjs"
import { bringUp } from "../browser/setup/global-setup.mjs"
import { keep } from "../support/keep.mjs"
import { freePort } from "../support/postgres.mjs"

/** The starter's folder with its packages installed and the recipe applied. */
const FOLDER = process.env["STARTER_FOLDER"] ?? ""

/** As the browser specs have it, with Medusa's starter in place of the example shop. */
export default async function globalSetup() {
  await bringUp(openStarter)
}

async function openStarter(storeUrl, signal) {
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const next = [process.execPath, createRequire(join(FOLDER, "package.json")).resolve("next/dist/bin/next")]
  /** @type {import("../support/keep.mjs").Kept | undefined} */
  let server
  return {
    url,
    env: { STOREFRONT_URL: `${url}/{country_code}`, STORE_CORS: url, AUTH_CORS: `${url},${storeUrl}` },
    close: async () => await server?.stop(),
    open: async (publishableKey) => {
      const env = {
        ...process.env,
        NODE_ENV: "production",
        NODE_OPTIONS: "",
        NEXT_TELEMETRY_DISABLED: "1",
        // The two starters read the address under two names.
        MEDUSA_BACKEND_URL: storeUrl,
        NEXT_PUBLIC_MEDUSA_BACKEND_URL: storeUrl,
        NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY: publishableKey,
        NEXT_PUBLIC_BASE_URL: url,
        // Not the shoppers' own, which are in the United States.
        NEXT_PUBLIC_DEFAULT_REGION: "ae",
      }
      const build = logFile("starter-build")
      await runCommand({
        name: "Building the starter",
        command: [...next, "build"],
        cwd: FOLDER,
        env,
        log: build,
        signal,
      })
      const log = logFile("starter")
      server = keep({ commands: [[...next, "start", "-p", port]], cwd: FOLDER, env, log })
      await untilReady(server, { name: "The starter", log, ready: /Ready in/, signal })
    },
  }
}
