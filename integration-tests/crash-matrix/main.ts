// `npm run test:crash-matrix`: each flow, with the process killed at each of its writes and calls in turn, then judged
// from the database. Its options are in docs/internals/tests.md. What it starts ends with it.
import { parseArgs } from "node:util"
import { ANY_SEED, say } from "../support/command"
import { FLOWS } from "./flows"
import { CrashMatrix, TOGETHER } from "./matrix"
import { describeResults } from "./report"
import { openShop } from "./shop"

void main().then((code) => process.exit(code))

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      flow: { type: "string", multiple: true, default: FLOWS.map(({ name }) => name) },
      sample: { type: "string", default: "Infinity" },
      seed: { type: "string", default: ANY_SEED },
    },
  })
  const flows = FLOWS.filter(({ name }) => values.flow.includes(name))
  const seed = Number(values.seed)
  say(`seed ${seed}`)
  const matrix = new CrashMatrix(
    await openShop(Math.max(TOGETHER, flows.length)),
    seed,
    Number(values.sample)
  )
  await matrix.run(flows)
  const { recorded, results, processesKilled } = matrix.progress
  say(`\n${describeResults(matrix.progress, seed)}`)
  const isTried = processesKilled > 0 && [...recorded.values()].every(({ length }) => length > 0)
  if (!isTried) {
    say("FAILED: a flow has no point, or no process was killed. This run proves nothing.")
  }
  return isTried && results.every(({ faults }) => faults.length === 0) ? 0 : 1
}
