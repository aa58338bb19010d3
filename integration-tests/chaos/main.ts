// `npm run chaos`: hundreds of checkouts while everything breaks, then a judgement of every payment. Its options are in
// docs/internals/tests.md. What it starts ends with it.
import { parseArgs } from "node:util"
import { startCluster, type StoreCluster } from "../support/cluster/store-cluster"
import { ANY_SEED, say, tell } from "../support/command"
import { readFacts, type Facts } from "../support/facts"
import { isFatal, judge } from "../support/judge"
import { ORDER_FIRST_ENVIRONMENT } from "../support/order-first"
import { Random } from "../support/random"
import { judgeLinks } from "./judge-links"
import { Merchant } from "./merchant"
import { becomeQuiet } from "./quiet"
import { describeFatal, summarize } from "./report"
import { runChaos } from "./run"

void main().then((code) => process.exit(code))

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: "string", default: ANY_SEED }, checkouts: { type: "string", default: "100" } },
  })
  const seed = Number(values.seed)
  const checkouts = Number(values.checkouts)
  say(`seed ${seed}, ${checkouts} checkouts`)
  const cluster = await startCluster(tell, ORDER_FIRST_ENVIRONMENT)
  return await playAndJudge(cluster, seed, checkouts)
}

async function playAndJudge(running: StoreCluster, seed: number, checkouts: number) {
  tell("checkouts")
  const merchant = new Merchant(running)
  const run = await runChaos(merchant, new Random(seed), checkouts)
  tell("becoming quiet")
  const readAll = async (): Promise<Facts> => await readFacts(running, merchant.done)
  const restless = await becomeQuiet(
    running,
    // A case that has become untrue is closed by a later run of the schedule.
    async () => {
      await merchant.cancelOrdersLeftBehind()
      return [
        ...merchant.describeLeft(),
        ...judge(await readAll()).flatMap(({ verdict, id, why }) =>
          verdict === "untrue" ? `${id}: ${why}` : []
        ),
      ]
    }
  )
  tell("judging")
  const facts = await readAll()
  const findings = [...judge(facts), ...(await judgeLinks(running, facts, merchant))]
  const selfAudit = await running.selfAudit()
  say(`\n${summarize(findings, facts, { ...run, merchant, selfAudit })}`)
  // Core's own sums may lack a booking that it made at the same time as another one. The audit tells the merchant, as it
  // should.
  const unexpected = selfAudit.findings.filter(({ rule }) => rule !== "order_sums_differ")
  const audited = unexpected.flatMap(({ rule, order_ids }) =>
    order_ids.map((id) => ({ verdict: "untrue" as const, id, why: rule }))
  )
  const fatal = [...findings.filter(isFatal), ...audited]
  const isAnyPaid = facts.gateway.some(({ paid_at }) => paid_at !== null)
  const wrong = [
    ...(isAnyPaid ? [] : ["No checkout was paid. This run proves nothing."]),
    ...(restless.length > 0 ? [`This never came to rest:\n${restless.join("\n")}`] : []),
    ...(fatal.length > 0 ? [await describeFatal(running, fatal, { ...run, facts })] : []),
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
