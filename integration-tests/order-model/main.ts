// `npm run test:order-model`: sequences of everything that can happen to an order, in a real store, held against a model
// of what the order owes and what was paid. See docs/internals/tests.md.
import { openShop, type Shop } from "../crash-matrix/shop"
import { Exploration, type Progress } from "./explore"
import { readOptions } from "./options"
import { printFailure, printReport, toReport, writeReport } from "./report"
import { openStage } from "./stage"
import { runAsCommand, say, STARTED_AT, tell } from "../support/command"

let shop: Shop | undefined

runAsCommand(main, () => shop?.stop())

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
        writeReport(options.report, toReport(options, progress, STARTED_AT))
      }
    })
    await exploration.run()
    const report = toReport(options, exploration.progress, STARTED_AT)
    say(`\n${printReport(report)}`)
    return report.failures.length === 0 ? 0 : 1
  } finally {
    await shop.stop()
  }
}
