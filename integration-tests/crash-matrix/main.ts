// `npm run test:crash-matrix`: each flow, with the process killed at each of its writes and calls in turn, then judged
// from the database. See docs/internals/tests.md.
import { parseOptions, runAsCommand, say, toSeed, toWhole } from "../support/command"
import { FLOWS } from "./flows"
import { CrashMatrix, TOGETHER } from "./matrix"
import { describeResults } from "./report"
import { openShop, type Shop } from "./shop"

const KNOWN = FLOWS.map(({ name }) => name)
const USAGE = `npm run test:crash-matrix [-- options]

  --flow <name>   only this flow; can be given again. There are: ${KNOWN.join(", ")}
  --sample <n>    n points, spread over the flows, each on one side (default all, on both)
  --seed <n>      which ones is drawn from this; printed, and another one each time when it is not given

CLUSTER_LOGS=<folder> keeps the output of every process there.`

let shop: Shop | undefined

runAsCommand(main, () => shop?.stop())

async function main(): Promise<number> {
  const options = parseOptions(
    { flow: { type: "string", multiple: true }, sample: { type: "string" }, seed: { type: "string" } },
    USAGE
  )
  const unknown = options.flow?.filter((name) => !KNOWN.includes(name)) ?? []
  if (unknown.length > 0) {
    throw new Error(`There is no flow ${unknown.join(", ")}.\n\n${USAGE}`)
  }
  const flows = FLOWS.filter(({ name }) => options.flow?.includes(name) ?? true)
  const sample = options.sample === undefined ? Number.POSITIVE_INFINITY : toWhole("sample", options.sample)
  const seed = toSeed(options.seed)
  say(`seed ${seed}`)
  shop = await openShop(Math.max(TOGETHER, flows.length))
  try {
    const matrix = new CrashMatrix(shop, seed, sample)
    await matrix.run(flows)
    const { recorded, results, processesKilled } = matrix.progress
    say(`\n${describeResults(matrix.progress, seed)}`)
    const isTried = processesKilled > 0 && [...recorded.values()].every(({ length }) => length > 0)
    if (!isTried) {
      say("FAILED: a flow has no point, or no process was killed. This run proves nothing.")
    }
    return isTried && results.every(({ faults }) => faults.length === 0) ? 0 : 1
  } finally {
    await shop.stop()
  }
}
