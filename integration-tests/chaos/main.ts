// `npm run chaos`: hundreds of checkouts while everything breaks, then an audit of every payment. See docs/internals/tests.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { readCommit } from "../support/commit"
import { startCluster, type StoreCluster } from "../support/cluster/store-cluster"
import { audit } from "./audit"
import { readFacts, type Facts } from "./audit-facts"
import { Merchant } from "./merchant"
import { readOptions, type ChaosOptions } from "./options"
import { ORDER_FIRST_ENVIRONMENT } from "./order-first"
import { becomeQuiet } from "./quiet"
import { Random } from "./random"
import { describeFatal, format, isClean, summarize } from "./report"
import { judgeLinks } from "./judge-links"
import { runChaos } from "./run"
import { aheadMs } from "./trouble"
import { auditCluster } from "../support/cluster/unexplained"
import { runAsCommand, say, STARTED_AT, tell } from "../support/command"

const commit = readCommit()
let cluster: StoreCluster | undefined

runAsCommand(main, () => cluster?.stop())

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  say(`seed ${options.seed}, ${options.checkouts} checkouts`)
  const hookFile = join(mkdtempSync(join(tmpdir(), "medusa-payment-crypto-chaos-")), "hook-fails")
  process.once("exit", () => {
    rmSync(dirname(hookFile), { recursive: true, force: true })
  })
  cluster = await startCluster(tell, {
    preload: join(__dirname, "bent-store.cjs"),
    environment: { CHAOS_HOOK_FILE: hookFile, ...ORDER_FIRST_ENVIRONMENT },
  })
  try {
    return await judge(cluster, options)
  } finally {
    await cluster.stop()
  }
}

async function judge(running: StoreCluster, { seed, checkouts, report }: ChaosOptions): Promise<number> {
  tell("checkouts")
  const merchant = new Merchant(running)
  const work = merchant.work()
  const run = await runChaos({ cluster: running, merchant }, new Random(seed), checkouts, tell)
  tell("becoming quiet")
  const ahead = aheadMs(run)
  const readAll = async (): Promise<Facts> => await readFacts(running, merchant.done, ahead)
  const restless = await becomeQuiet(
    running,
    // A case that has become untrue is closed by a later run of the schedule.
    async () => [
      ...merchant.describeLeft(),
      ...audit(await readAll()).flatMap(({ verdict, id, why }) =>
        verdict === "untrue" ? `${id}: ${why}` : []
      ),
    ]
  )
  merchant.goHome()
  await work
  tell("auditing")
  const facts = await readAll()
  const findings = [...audit(facts), ...(await judgeLinks(running, facts, merchant))]
  const selfAudit = await auditCluster(running)
  const lines = summarize(findings, facts, { ...run, merchant, selfAudit })
  say(`\n${format(lines)}`)
  if (restless.length > 0) {
    say(`\nThis never came to rest:\n${restless.join("\n")}`)
  }
  if (!isClean(findings)) {
    say(`\n${await describeFatal(running, findings, { ...run, facts })}`)
  }
  for (const fault of merchant.done.faults) {
    say(`\n${fault}`)
  }
  if (selfAudit.found > 0 || selfAudit.incomplete.length > 0) {
    say(`\n${JSON.stringify(selfAudit, null, 1)}`)
  }
  const isGood =
    restless.length === 0 &&
    isClean(findings) &&
    merchant.done.faults.length === 0 &&
    selfAudit.found === 0 &&
    selfAudit.incomplete.length === 0
  if (report !== undefined) {
    const figures = Object.fromEntries(
      lines.map(({ name, value, note }) => [name.trim(), note ? { value, note } : value])
    )
    const about = {
      commit,
      begun_at: new Date(STARTED_AT).toISOString(),
      seconds: Math.round((Date.now() - STARTED_AT) / 1000),
      seed,
    }
    writeFileSync(
      report,
      `${JSON.stringify({ ...about, is_good: isGood, restless: restless.length, ...figures }, null, 2)}\n`
    )
  }
  say(`\n${isGood ? "Nothing lost, nothing doubled, nothing falsely paid" : "FAILED"} (seed ${seed})`)
  return isGood ? 0 : 1
}
