import type { AuditReport } from "../../.medusa/server/src/http-contract"
import type { StoreCluster } from "../support/cluster/store-cluster"
import {
  countExpiredOrders,
  countGhostOrders,
  countOverdueOrders,
  countUnpaidOrders,
  isGhostOrder,
  isOverdueOrder,
  type Finding,
  type Verdict,
} from "./audit"
import type { Facts } from "./audit-facts"
import type { Merchant } from "./merchant"
import type { ChaosRun } from "./run"

/** One line of the report. Names that are indented are part of the line before. */
interface Line {
  name: string
  value: number
  note: string | undefined
}

const FATAL: Verdict[] = ["lost", "doubled", "falsely_paid"]

export function isClean(findings: Finding[]): boolean {
  return findings.every(({ verdict }) => !FATAL.includes(verdict))
}

/** Whether each order is of a cart, each paid one was announced, and none waits for its payment for too long. */
export function hasGoodOrders(facts: Facts): boolean {
  return countGhostOrders(facts) === 0 && countOverdueOrders(facts) === 0 && countUnannounced(facts) === 0
}

export function summarize(
  findings: Finding[],
  facts: Facts,
  { played, troubles, merchant, selfAudit }: ChaosRun & { merchant: Merchant; selfAudit: AuditReport }
): Line[] {
  const count = (verdict: Verdict): number => findings.filter((each) => each.verdict === verdict).length
  const paid = facts.gateway.filter(({ paid_at }) => paid_at !== null).length
  const plans = played.map(({ plan }) => plan)
  const lines: [string, number, string?][] = [
    ["checkouts", played.length],
    ["  that got a link", played.filter(({ links }) => links.length > 0).length],
    ["  notification lost", plans.filter(({ notifications }) => notifications.length === 0).length],
    [
      "  cart changed",
      plans.filter(({ change }) => change !== "none").length,
      tally(plans.flatMap(({ change }) => (change === "none" ? [] : [change]))),
    ],
    ["  broken display fields", plans.filter(({ display }) => Object.keys(display).length > 0).length],
    ["troubles", troubles.length, tally(troubles.map(({ kind }) => kind))],
    ["payment requests", facts.gateway.length],
    ["refunds registered", facts.made.length],
    ["orders cancelled", merchant.canceled],
    ["  refused, as it must be", merchant.refusedCancels],
    ["  by a script", merchant.canceledByScript],
    ["orders nobody paid", countUnpaidOrders(facts)],
    ["orders placed unpaid", plans.filter(({ placesFirst }) => placesFirst).length],
    ["  cancelled, never paid", countExpiredOrders(facts)],
    ["  overdue", countOverdueOrders(facts)],
    ["ghost orders", countGhostOrders(facts)],
    ["paid at gateway", paid],
    ["captured once", count("captured_once"), tally(reasons(findings, "captured_once"))],
    ["sent back, no order", count("sent_back"), tally(reasons(findings, "sent_back"))],
    ["on the attention list", count("attention"), tally(reasons(findings, "attention"))],
    ["lost", count("lost")],
    ["doubled", count("doubled")],
    ["falsely paid", count("falsely_paid")],
    ["orders not announced", countUnannounced(facts)],
    ["found by the self-audit", selfAudit.found, tally(selfAudit.findings.map(({ rule }) => rule))],
  ]
  return lines.map(([name, value, note]) => ({ name, value, note }))
}

/** Paid orders whose `order.placed` nobody has heard. */
function countUnannounced(facts: Facts): number {
  return unannouncedCarts(facts).length
}

/** A cancelled order is announced no more: an e-mail or a fulfilment would follow. */
function unannouncedCarts({ ledger, orders }: Facts): string[] {
  const canceled = new Set(orders.flatMap((order) => (order.canceled ? [order.cart_id] : [])))
  const carts = new Map<string, boolean>()
  for (const { cart_id, state, settled_at, order_announced_at } of ledger) {
    const isPaid = state === "captured" || order_announced_at !== null
    if (cart_id !== null && isPaid && settled_at !== null && !canceled.has(cart_id)) {
      carts.set(cart_id, (carts.get(cart_id) ?? false) || order_announced_at !== null)
    }
  }
  return [...carts].flatMap(([cart, isAnnounced]) => (isAnnounced ? [] : [cart]))
}

/** What is known of orders that are as none may be. */
export function describeOrders(facts: Facts): string {
  const carts = unannouncedCarts(facts)
  const orders = facts.orders.filter(
    (order) => isGhostOrder(order) || isOverdueOrder(order) || carts.includes(order.cart_id ?? "")
  )
  const rows = facts.ledger.filter(({ cart_id }) => carts.includes(cart_id ?? ""))
  return JSON.stringify({ orders, rows }, null, 1)
}

export function format(lines: Line[]): string {
  return lines
    .map(
      ({ name, value, note }) => `${name.padEnd(26)}${String(value).padStart(6)}${note ? `   ${note}` : ""}`
    )
    .join("\n")
}

/** Everything known about each thing that must not be, for who corrects it. */
export async function describeFatal(
  { knex }: StoreCluster,
  findings: Finding[],
  { facts, played }: ChaosRun & { facts: Facts }
): Promise<string> {
  const fatal = findings.filter(({ verdict }) => FATAL.includes(verdict))
  const texts = await Promise.all(
    fatal.map(async ({ verdict, id, why }) => {
      const order = facts.orders.find((one) => one.id === id)
      const rows = await knex("crypto_payment_request")
        .where({ payment_request_id: id })
        .orWhere({ cart_id: order?.cart_id ?? "" })
      const [ids, collections] = ["id", "payment_collection_id"].map((column) =>
        rows.map((row: Record<string, string>) => row[column] ?? "")
      )
      const timeline = await knex("crypto_payment_activity")
        .whereIn("request_id", ids ?? [])
        .orderBy("created_at")
        .select("created_at", "type", "detail")
      const payments = facts.payments.filter((one) => collections?.includes(one.payment_collection_id))
      const checkout = played.find(({ links, cartId }) => links.includes(id) || cartId === order?.cart_id)
      const details = { order, rows, payments, timeline, checkout }
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
