// `npm run test:crash-matrix`: each flow, with the process killed at each of its writes and calls in turn, then judged
// from the database. See docs/testing.md.
import { FLOWS } from "./flows"
import { CrashMatrix, type Progress } from "./matrix"
import { readOptions, type MatrixOptions } from "./options"
import { describePoint, printReport, summarizeFlows, writeReport, type MatrixReport } from "./report"
import { openShop, type Shop } from "./shop"

const INTERRUPTED = 130
const startedAt = Date.now()
let shop: Shop | undefined

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    // What is not put away here, each process' keeper puts away when it sees this one end.
    void Promise.resolve(shop?.stop()).finally(() => process.exit(INTERRUPTED))
  })
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exit(1)
  }
)

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
    begunAt: new Date(startedAt).toISOString(),
    seconds: (Date.now() - startedAt) / 1000,
    processesKilled,
    flows: summarizeFlows(
      recorded,
      results.filter(({ number }) => number > 0)
    ),
    recorded,
    failures: results.filter(({ faults }) => faults.length > 0),
  }
}

function tell(what: string): void {
  say(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${what}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
