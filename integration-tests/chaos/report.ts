import type { AuditReport } from "../../.medusa/server/src/http-contract"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { Facts } from "../support/facts"
import { type Finding, type Verdict } from "../support/judge"
import { ACTS } from "./acts"
import type { Merchant } from "./merchant"
import type { ChaosRun } from "./run"

export function summarize(
  findings: Finding[],
  facts: Facts,
  { plans, troubles, merchant, selfAudit }: ChaosRun & { merchant: Merchant; selfAudit: AuditReport }
): string {
  const count = (verdict: Verdict): number => findings.filter((each) => each.verdict === verdict).length
  const paid = facts.gateway.filter(({ paid_at }) => paid_at !== null).length
  const neverDone = [...Object.keys(ACTS), "cancel"].filter((act) => !merchant.acts.includes(act))
  const lines: [string, number, string?][] = [
    ["checkouts", plans.length],
    ["troubles", troubles.length, tally(troubles.map(({ kind }) => kind))],
    ["refunds registered", facts.done.registered.length],
    ["acts on orders", merchant.acts.length, tally(merchant.acts)],
    ["acts refused, or unanswered", merchant.refusedActs.length, tally(merchant.refusedActs)],
    ["acts that nobody did", neverDone.length, neverDone.join(", ")],
    ["paid at gateway", paid],
    ["captured once", count("captured_once"), tally(reasons(findings, "captured_once"))],
    ["sent back, no order", count("sent_back"), tally(reasons(findings, "sent_back"))],
    ["on the attention list", count("attention"), tally(reasons(findings, "attention"))],
    ["lost", count("lost")],
    ["doubled", count("doubled")],
    ["falsely paid", count("falsely_paid")],
    ["untrue cases and links", count("untrue")],
    ["found by the self-audit", selfAudit.found, tally(selfAudit.findings.map(({ rule }) => rule))],
  ]
  return lines.map(([name, value, note]) => `${name}: ${value}${note ? ` (${note})` : ""}`).join("\n")
}

/** Everything known about each thing that must not be, for who corrects it. */
export async function describeFatal(
  { knex }: StoreCluster,
  fatal: Finding[],
  { facts, plans }: ChaosRun & { facts: Facts }
): Promise<string> {
  const texts = await Promise.all(
    fatal.map(async ({ verdict, id, why }) => {
      const row = facts.ledger.find((one) => one.payment_request_id === id)
      const order = facts.orders.find((one) => one.id === id || one.id === row?.orderId)
      const rows = await knex("crypto_payment_request")
        .where({ payment_request_id: id })
        .orWhere({ cart_id: order?.cart_id ?? "" })
        .orWhere({ order_id: order?.id ?? "" })
      const ids = rows.map((row: { id: string }) => row.id)
      const timeline = await knex("crypto_payment_activity")
        .whereIn("request_id", ids)
        .orderBy("created_at")
        .select("created_at", "type", "detail")
      const known = facts.ledger.filter((one) => ids.includes(one.id))
      const cartIds = rows.map((row: { cart_id: string | null }) => row.cart_id)
      const { email = "" } = (await knex("cart").whereIn("id", cartIds).first("email")) ?? {}
      // The number in it is that of the checkout.
      const plan = plans[Number(/\d+/.exec(String(email)))]
      const booked = await knex("order_transaction")
        .where({ order_id: order?.id ?? "" })
        .orderBy("created_at")
      const refunds = await knex("crypto_payment_refund").whereIn("request_id", ids)
      const details = { order, rows, known, timeline, booked, refunds, email, plan }
      return `${verdict.toUpperCase()} ${id}: ${why}\n${JSON.stringify(details, null, 1)}`
    })
  )
  return texts.join("\n\n")
}

const reasons = (findings: Finding[], wanted: Verdict): string[] =>
  findings.filter(({ verdict, why }) => verdict === wanted && why !== "").map(({ why }) => why)

function tally(words: string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].map(([word, times]) => `${word} ${times}`).join(", ")
}
