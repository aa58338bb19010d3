/**
 * What the plugin adds to a store that does nothing: how long `medusa start` takes until it listens, and the memory it
 * then holds, with the plugin and without it. The same built store and database on both sides.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { startBuiltStore } from "../integration-tests/support/cluster/built-store"
import { Instance } from "../integration-tests/support/cluster/instance"
import { BUILT_STORE } from "../integration-tests/support/cluster/paths"
import { tell } from "../integration-tests/support/command"
import { startTogether } from "../integration-tests/support/endings"
import { median, ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"

const ROUNDS = 5
/** Until what a start leaves behind is collected and the figure no longer changes. */
const IDLE_MS = 4000
/** Next to the store with the plugin, so that both find the same packages. */
const BARE_STORE = path.join(path.dirname(BUILT_STORE), "server-without-plugin")
const REPORT_MEMORY = path.join(__dirname, "support/report-memory.cjs")
const PLUGIN = "medusa-payment-crypto"

interface Boot {
  seconds: number
  residentMb: number
}

void startTogether(async (endings, stop) => {
  const store = await startBuiltStore(tell, endings)
  endings.push(() => rmSync(BARE_STORE, { recursive: true, force: true }))
  makeBareStore()
  const memory = path.join(store.logs, "memory.json")
  const environment = { ...store.environment, BENCH_MEMORY_FILE: memory }
  const [withPlugin, without] = [BUILT_STORE, BARE_STORE].map((folder, index) => ({
    instance: new Instance("shared", `boot-${index}`, environment, store.logs, REPORT_MEMORY, folder),
    boots: [] as Boot[],
  })) as [Side, Side]
  // In turns, so that whatever else the machine does strikes both. The first of each fills the caches of the disk.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { instance, boots } of [withPlugin, without]) {
      const boot = await bootOnce(instance, memory)
      boots.push(...(round > 0 ? [boot] : []))
    }
  }
  const row = (what: string, key: keyof Boot, rounded: (value: number) => number) => {
    const [ours, floor] = [withPlugin, without].map(({ boots }) =>
      rounded(median(boots.map((boot) => boot[key])))
    ) as [number, number]
    return [what, ours, floor, ratio(ours, floor)]
  }
  await writeReport("boot", store, [
    ["what", "with the plugin", "without", "ratio"],
    row("seconds until it listens", "seconds", round),
    row("resident memory, MB", "residentMb", Math.round),
  ])
  await stop()
})

interface Side {
  instance: Instance
  boots: Boot[]
}

/** The same build, with a medusa-config that names neither the plugin nor its provider. */
function makeBareStore(): void {
  rmSync(BARE_STORE, { recursive: true, force: true })
  cpSync(BUILT_STORE, BARE_STORE, { recursive: true, verbatimSymlinks: true })
  cpSync(path.join(BARE_STORE, "medusa-config.js"), path.join(BARE_STORE, "with-plugin.js"))
  writeFileSync(
    path.join(BARE_STORE, "medusa-config.js"),
    `const config = require("./with-plugin.js")
config.plugins = config.plugins.filter(({ resolve }) => resolve !== "${PLUGIN}")
config.modules.payment = { resolve: "@medusajs/medusa/payment" }
module.exports = config
`
  )
}

async function bootOnce(instance: Instance, memory: string): Promise<Boot> {
  const startedAt = performance.now()
  try {
    await instance.start()
    const seconds = (performance.now() - startedAt) / 1000
    await delay(IDLE_MS)
    const { rss } = JSON.parse(readFileSync(memory, "utf8")) as { rss: number }
    return { seconds, residentMb: rss / 2 ** 20 }
  } finally {
    await instance.kill()
  }
}
