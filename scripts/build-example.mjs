/** Builds the example store with its admin, and its shop, which several suites boot: two at once could not build them. */
import { buildShop, buildStore } from "../examples/demo/builds.mjs"

const { signal } = new AbortController()
await Promise.all([buildStore(process.env, true, signal), buildShop(signal)])
