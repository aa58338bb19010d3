import type { StoreCluster } from "../support/cluster/store-cluster"
import { countUnpaidOrders, type Finding, type Verdict } from "./audit"
import type { Facts } from "./audit-facts"
import type { Merchant } from "./merchant"
import type { ChaosRun } from "./run"

const FATAL: Verdict[] = ["lost", "doubled", "falsely_paid"]

export function isClean(findings: Finding[]): boolean {
  return findings.every(({ verdict }) => !FATAL.includes(verdict))
}

export function summarize(
  findings: Finding[],
  facts: Facts,
  { played, troubles, merchant }: ChaosRun & { merchant: Merchant }
): string {
  const count = (verdict: Verdict): number => findings.filter((each) => each.verdict === verdict).length
  const paid = facts.gateway.filter(({ paid_at }) => paid_at !== null).length
  const plans = played.map(({ plan }) => plan)
  const lines: [string, number, string?][] = [
    ["checkouts", played.length],
    ["  that got a link", played.filter(({ links }) => links.length > 0).length],
    ["  notification lost", plans.filter(({ notifications }) => notifications.length === 0).length],
    ["  cart changed", plans.filter(({ change }) => change !== "none").length],
    ["kill -9", troubles.length, tally(troubles.map(({ kind }) => kind))],
    ["payment requests", facts.gateway.length],
    ["refunds registered", facts.made.length],
    ["orders cancelled", merchant.canceled],
    ["  refused, as it must be", merchant.refusedCancels],
    ["orders nobody paid", countUnpaidOrders(facts)],
    ["paid at gateway", paid],
    ["captured once", count("captured_once"), tally(reasons(findings, "captured_once"))],
    ["sent back, no order", count("sent_back"), tally(reasons(findings, "sent_back"))],
    ["on the attention list", count("attention"), tally(reasons(findings, "attention"))],
    ["lost", count("lost")],
    ["doubled", count("doubled")],
    ["falsely paid", count("falsely_paid")],
  ]
  return lines
    .map(([name, value, note]) => `${name.padEnd(24)}${String(value).padStart(6)}${note ? `   ${note}` : ""}`)
    .join("\n")
}

/** Everything known about each thing that must not be, for whoever mends it. */
export async function describeFatal(
  { knex }: StoreCluster,
  findings: Finding[],
  { played }: ChaosRun
): Promise<string> {
  const fatal = findings.filter(({ verdict }) => FATAL.includes(verdict))
  const texts = await Promise.all(
    fatal.map(async ({ verdict, id, why }) => {
      const rows = await knex("crypto_payment_request").where({ payment_request_id: id })
      const ids = rows.map((row: { id: string }) => row.id)
      const timeline = await knex("crypto_payment_activity")
        .whereIn("request_id", ids)
        .orderBy("created_at")
        .select("created_at", "type", "detail")
      const checkout = played.find(({ links }) => links.includes(id))
      const details = { rows, timeline, checkout }
      return `${verdict.toUpperCase()} ${id}: ${why}\n${JSON.stringify(details, null, 1)}`
    })
  )
  return texts.join("\n\n")
}

function reasons(findings: Finding[], wanted: Verdict): string[] {
  return findings.filter(({ verdict, why }) => verdict === wanted && why !== "").map(({ why }) => why)
}

function tally(words: string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].map(([word, times]) => `${word} ${times}`).join(", ")
}
