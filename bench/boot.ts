/**
 * What the plugin adds to a store that does nothing: how long `medusa start` takes until it listens, and the memory it
 * then holds, with the plugin and without it. The same built store and database on both sides.
 */
import { execFileSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { startBuiltStore } from "../integration-tests/support/cluster/built-store"
import { Instance } from "../integration-tests/support/cluster/instance"
import { BUILT_STORE } from "../integration-tests/support/cluster/paths"
import { tell } from "../integration-tests/support/command"
import { startTogether } from "../integration-tests/support/endings"
import { median, ratio, writeReport } from "./report"

const ROUNDS = 5
/** Until what a start leaves behind is collected and the figure no longer changes. */
const IDLE_MS = 4000
/** Next to the store with the plugin, so that both find the same packages. */
const BARE_STORE = path.join(path.dirname(BUILT_STORE), "server-without-plugin")
/** The same build, with a medusa-config that names neither the plugin nor its provider. */
const BARE_CONFIG = `const config = require("./with-plugin.js")
config.plugins = config.plugins.filter(({ resolve }) => resolve !== "medusa-payment-crypto")
config.modules.payment = { resolve: "@medusajs/medusa/payment" }
module.exports = config
`

void startTogether(async (endings, stop) => {
  const store = await startBuiltStore(tell, endings)
  endings.push(() => rmSync(BARE_STORE, { recursive: true, force: true }))
  rmSync(BARE_STORE, { recursive: true, force: true })
  cpSync(BUILT_STORE, BARE_STORE, { recursive: true, verbatimSymlinks: true })
  cpSync(path.join(BARE_STORE, "medusa-config.js"), path.join(BARE_STORE, "with-plugin.js"))
  writeFileSync(path.join(BARE_STORE, "medusa-config.js"), BARE_CONFIG)
  const sides = [BUILT_STORE, BARE_STORE].map((folder, index) => ({
    instance: new Instance("shared", `boot-${index}`, store.environment, store.logs, undefined, folder),
    seconds: [] as number[],
    megabytes: [] as number[],
  }))
  // In turns, so that whatever else the machine does strikes both. The first of each fills the caches of the disk.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { instance, seconds, megabytes } of sides) {
      const startedAt = performance.now()
      await instance.start()
      const took = (performance.now() - startedAt) / 1000
      await delay(IDLE_MS)
      seconds.push(...(round > 0 ? [took] : []))
      megabytes.push(...(round > 0 ? [residentMb(instance)] : []))
      await instance.kill()
    }
  }
  const row = (what: string, of: (side: (typeof sides)[number]) => number) => {
    const [ours = NaN, floor = NaN] = sides.map(of)
    return [what, ours, floor, ratio(ours, floor)]
  }
  await writeReport("boot", store, [
    ["what", "with the plugin", "without", "ratio"],
    row("seconds until it listens", ({ seconds }) => median(seconds)),
    row("resident memory, MB", ({ megabytes }) => Math.round(median(megabytes))),
  ])
  await stop()
})

/** Of the process that listens on the instance's port, as the system counts it. */
function residentMb({ url }: Instance): number {
  const processes = execFileSync("ps", ["-eo", "rss=,args="], { encoding: "utf8" }).split("\n")
  const own = processes.find((line) => line.endsWith(` start --host 127.0.0.1 --port ${new URL(url).port}`))
  if (own === undefined) {
    throw new Error("ps shows no process that listens on the store's port")
  }
  return Number.parseInt(own, 10) / 1024
}
