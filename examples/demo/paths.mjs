import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = fileURLToPath(new URL("../..", import.meta.url))
export const STORE = join(ROOT, "examples/store")
/** What `medusa build` makes of the store, and what a merchant would deploy: the demo runs this. */
export const BUILT_STORE = join(STORE, ".medusa/server")
export const STOREFRONT = join(ROOT, "examples/storefront")
export const VITE_CLI = join(ROOT, "node_modules/vite/bin/vite.js")
export const MEDUSA_CLI = join(ROOT, "node_modules/@medusajs/cli/cli.js")

/** Lock, logs and build stamps. The database is elsewhere, in a temporary folder that goes with the demo. */
export const STATE = join(ROOT, ".demo")
export const LOCK = join(STATE, "lock")
export const LOGS = join(STATE, "logs")
/** @param {string} name */
export const logFile = (name) => join(LOGS, `${name}.log`)
/** @param {string} name */
export const stampFile = (name) => join(STATE, "stamps", name)
