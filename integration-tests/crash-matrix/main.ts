// `npm run test:crash-matrix`: each flow, with the process killed at each of its writes and calls in turn, then judged
// from the database. See docs/internals/tests.md.
import { FLOWS } from "./flows"
import { CrashMatrix } from "./matrix"
import { readOptions } from "./options"
import { describeFailure, printReport, toReport } from "./report"
import { openShop, type Shop } from "./shop"
import { runAsCommand, say, tell, writeJson } from "../support/command"

let shop: Shop | undefined

runAsCommand(main, () => shop?.stop())

async function main(): Promise<number> {
  const options = readOptions(
    process.argv.slice(2),
    FLOWS.map(({ name }) => name)
  )
  const flows = FLOWS.filter(({ name }) => options.flows.includes(name))
  say(`seed ${options.seed}`)
  shop = await openShop(Math.max(options.together, flows.length))
  try {
    let told = 0
    const matrix = new CrashMatrix(shop, options, (progress) => {
      for (const result of progress.results.slice(told).filter(({ faults }) => faults.length > 0)) {
        say(`FAILED ${describeFailure(result)}`)
      }
      told = progress.results.length
      tell(`${told} runs`)
      if (options.report !== undefined) {
        writeJson(options.report, toReport(options, progress))
      }
    })
    await matrix.run(flows)
    const report = toReport(options, matrix.progress)
    say(`\n${printReport(report)}`)
    const isTried = report.processesKilled > 0 && report.flows.every(({ points }) => points > 0)
    if (!isTried) {
      say("FAILED: a flow has no point, or no process was killed. This run proves nothing.")
    }
    return isTried && report.failures.length === 0 ? 0 : 1
  } finally {
    await shop.stop()
  }
}
