import { join, resolve } from "node:path"

const ROOT = resolve(__dirname, "../../..")
/** What `medusa build` makes of the example store, and what a merchant would deploy. */
export const BUILT_STORE = join(ROOT, "examples/store/.medusa/server")
export const MEDUSA_CLI = join(ROOT, "node_modules/@medusajs/cli/cli.js")
/** Shared with the demo. */
export const LOGS = join(ROOT, ".demo/logs")
