// `npm run test:crash-matrix`: each flow, with the process killed at each of its writes and calls in turn, then judged
// from the database. See docs/internals/tests.md.
import { readCommit } from "../support/commit"
import { FLOWS } from "./flows"
import { CrashMatrix, type Progress } from "./matrix"
import { readOptions, type MatrixOptions } from "./options"
import { describePoint, printReport, summarizeFlows, writeReport, type MatrixReport } from "./report"
import { openShop, type Shop } from "./shop"
import { runAsCommand, say, STARTED_AT, tell } from "../support/command"

const commit = readCommit()
let shop: Shop | undefined

runAsCommand(main, () => shop?.stop())

async function main(): Promise<number> {
  const options = readOptions(
    process.argv.slice(2),
    FLOWS.map(({ name }) => name)
  )
  const flows = FLOWS.filter(({ name }) => options.flows.includes(name))
  say(`seed ${options.seed}`)
  shop = await openShop(Math.max(options.together, flows.length), tell)
  try {
    let told = 0
    const matrix = new CrashMatrix(shop, options, tell, (progress) => {
      for (const result of progress.results.slice(told).filter(({ faults }) => faults.length > 0)) {
        say(`FAILED ${describePoint(result)}\n${result.faults.map((fault) => `    ${fault}`).join("\n")}`)
      }
      told = progress.results.length
      tell(`${told} runs`)
      store(options, progress)
    })
    await matrix.run(flows)
    const report = toReport(options, matrix.progress)
    say(`\n${printReport(report)}`)
    return report.failures.length === 0 ? 0 : 1
  } finally {
    await shop.stop()
  }
}

function store(options: MatrixOptions, progress: Progress): void {
  if (options.report !== undefined) {
    writeReport(options.report, toReport(options, progress))
  }
}

function toReport(options: MatrixOptions, { recorded, results, processesKilled }: Progress): MatrixReport {
  const { report: _file, ...command } = options
  return {
    command,
    commit,
    begunAt: new Date(STARTED_AT).toISOString(),
    seconds: (Date.now() - STARTED_AT) / 1000,
    processesKilled,
    flows: summarizeFlows(
      recorded,
      results.filter(({ number }) => number > 0)
    ),
    recorded,
    failures: results.filter(({ faults }) => faults.length > 0),
  }
}
