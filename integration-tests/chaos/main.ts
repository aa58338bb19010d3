// `npm run chaos`: hundreds of checkouts while everything breaks, then a judgement of every payment. See
// docs/internals/tests.md.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { startCluster, type StoreCluster } from "../support/cluster/store-cluster"
import { parseOptions, runAsCommand, say, tell, toSeed, toWhole } from "../support/command"
import { readFacts, type Facts } from "../support/facts"
import { isFatal, judge } from "../support/judge"
import { ORDER_FIRST_ENVIRONMENT } from "../support/order-first"
import { Random } from "../support/random"
import { judgeLinks } from "./judge-links"
import { Merchant } from "./merchant"
import { becomeQuiet } from "./quiet"
import { describeFatal, summarize } from "./report"
import { runChaos } from "./run"
import { aheadMs } from "./trouble"

const USAGE = `npm run chaos [-- options]

  --seed <n>        what happens is drawn from this; printed, and another one each time when it is not given
  --checkouts <n>   how many (default 100)

CLUSTER_LOGS=<folder> keeps the output of every process there.`

let cluster: StoreCluster | undefined

runAsCommand(main, () => cluster?.stop())

async function main(): Promise<number> {
  const options = parseOptions({ seed: { type: "string" }, checkouts: { type: "string" } }, USAGE)
  const seed = toSeed(options.seed)
  const checkouts = toWhole("checkouts", options.checkouts ?? "100")
  say(`seed ${seed}, ${checkouts} checkouts`)
  const hookFile = join(mkdtempSync(join(tmpdir(), "medusa-payment-crypto-chaos-")), "hook-fails")
  process.once("exit", () => rmSync(dirname(hookFile), { recursive: true, force: true }))
  const environment = { CHAOS_HOOK_FILE: hookFile, ...ORDER_FIRST_ENVIRONMENT }
  cluster = await startCluster(tell, join(__dirname, "bent-store.cjs"), environment)
  try {
    return await playAndJudge(cluster, seed, checkouts)
  } finally {
    await cluster.stop()
  }
}

async function playAndJudge(running: StoreCluster, seed: number, checkouts: number) {
  tell("checkouts")
  const merchant = new Merchant(running)
  const run = await runChaos(merchant, new Random(seed), checkouts)
  tell("becoming quiet")
  const ahead = aheadMs(run)
  const readAll = async (): Promise<Facts> => await readFacts(running, merchant.done, ahead)
  const restless = await becomeQuiet(
    running,
    // A case that has become untrue is closed by a later run of the schedule.
    async () => [
      ...merchant.describeLeft(),
      ...judge(await readAll()).flatMap(({ verdict, id, why }) =>
        verdict === "untrue" ? `${id}: ${why}` : []
      ),
    ]
  )
  tell("judging")
  const facts = await readAll()
  const findings = [...judge(facts), ...(await judgeLinks(running, facts, merchant))]
  const selfAudit = await running.selfAudit()
  say(`\n${summarize(findings, facts, { ...run, merchant, selfAudit })}`)
  // Core's own sums may lack a booking that it made at the same time as another one. The audit tells the merchant, as it
  // should.
  const unexpected = selfAudit.findings.filter(({ rule }) => rule !== "order_sums_differ")
  const isAnyPaid = facts.gateway.some(({ paid_at }) => paid_at !== null)
  const wrong = [
    ...(isAnyPaid ? [] : ["No checkout was paid. This run proves nothing."]),
    ...(restless.length > 0 ? [`This never came to rest:\n${restless.join("\n")}`] : []),
    ...(findings.some(isFatal) ? [await describeFatal(running, findings, { ...run, facts })] : []),
    ...merchant.faults,
    ...(unexpected.length + selfAudit.incomplete.length > 0 ? [JSON.stringify(selfAudit, null, 1)] : []),
  ]
  for (const text of wrong) {
    say(`\n${text}`)
  }
  const isGood = wrong.length === 0
  say(`\n${isGood ? "Nothing lost, nothing doubled, nothing falsely paid" : "FAILED"} (seed ${seed})`)
  return isGood ? 0 : 1
}
