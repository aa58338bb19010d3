// `npm run test:order-model`: sequences of everything that can happen to an order, in a real store, held against a model
// of what the order owes and what was paid. See docs/testing.md.
import { openShop, type Shop } from "../crash-matrix/shop"
import { Exploration, type Progress } from "./explore"
import { readOptions } from "./options"
import { printFailure, printReport, toReport, writeReport } from "./report"
import { openStage } from "./stage"

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
  const options = readOptions(process.argv.slice(2))
  say(`seed ${options.seed}`)
  shop = await openShop(1, tell)
  try {
    const stage = await openStage(shop)
    let told = 0
    const exploration = new Exploration(stage, options, (progress: Progress) => {
      for (const failure of progress.failures.slice(told)) {
        say(printFailure(failure, options))
      }
      told = progress.failures.length
      if (progress.played % 10 === 0) {
        tell(`${progress.sequences} sequences, ${progress.played} played`)
      }
      if (options.report !== undefined) {
        writeReport(options.report, toReport(options, progress, startedAt))
      }
    })
    await exploration.run()
    const report = toReport(options, exploration.progress, startedAt)
    say(`\n${printReport(report)}`)
    return report.failures.length === 0 ? 0 : 1
  } finally {
    await shop.stop()
  }
}

function tell(what: string): void {
  say(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${what}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
