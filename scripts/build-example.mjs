/** Builds the example store with its admin, and its shop, which several suites boot: two at once could not build them. */
import { buildShop, buildStore } from "../examples/demo/builds.mjs"

const { signal } = new AbortController()
const env = { ...process.env, MEDUSA_DISABLE_TELEMETRY: "1" }
await Promise.all([buildStore(env, true, signal), buildShop(signal)])
