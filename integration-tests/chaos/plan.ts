import type { Fault } from "../support/gateway-control"
import { drawActs } from "./acts"
import type { Random } from "../support/random"

/** What happens to the cart between the first payment link and the payment, and how often it is drawn. */
const CHANGES = {
  none: 50,
  item_added: 18,
  item_added_and_removed: 10,
  other_email: 6,
  other_region: 4,
  other_provider: 5,
  paid_otherwise: 4,
  payment_reopened: 7,
}
type Change = keyof typeof CHANGES

/** Everything that is going to happen to one checkout, drawn before anything runs. */
export type CheckoutPlan = ReturnType<typeof drawPlan>
type Payment = "current_link" | "old_link" | "both_links" | "wrong_amount" | "nothing"
type Notification = { status: "PAID" | "UNPAID" | "PENDING"; to: 0 | 1 }

const LOST = 0.3

const READ_FAULTS: [Fault, ...Fault[]] = [
  { endpoint: "read", kind: "status", status: 503 },
  { endpoint: "read", kind: "status", status: 500 },
  { endpoint: "read", kind: "timeout" },
  { endpoint: "read", kind: "reset" },
  { endpoint: "read", kind: "truncated" },
  { endpoint: "read", kind: "html" },
  { endpoint: "read", kind: "wrong_types" },
  { endpoint: "read", kind: "slow", delayMs: 3000 },
]
const CREATE_FAULTS: [Fault, ...Fault[]] = [
  { endpoint: "create", kind: "status", status: 503 },
  { endpoint: "create", kind: "timeout", applied: "after" },
  { endpoint: "create", kind: "reset", applied: "after" },
  { endpoint: "create", kind: "cut_json" },
  { endpoint: "create", kind: "slow", delayMs: 3000 },
]

export function drawPlan(random: Random) {
  const change = random.weighted<Change>(CHANGES)
  /** What the merchant sends back of everything that was paid. */
  const refund = random.weighted({ none: 65, full: 18, part: 10, in_two_parts: 7 })
  const isSentBack = refund === "full" || refund === "in_two_parts"
  /** The merchant makes a draft order and asks for its payment: there is no cart. */
  const isDraft = change === "none" && random.chance(0.15)
  /** The order is placed before it is paid. The cart can no longer be changed then. */
  const placesFirst = change === "none" && !isDraft && random.chance(0.3)
  return {
    isDraft,
    currency: random.pick(["usd", "aed"]),
    /** Which of the two servers the shopper talks to first; the other one takes over when it is down. */
    near: random.pick([0, 1]),
    createFault: random.chance(0.08) ? { ...random.pick(CREATE_FAULTS), times: 1 } : null,
    change,
    completesUnpaid: random.chance(0.1),
    placesFirst,
    pays: placesFirst && random.chance(0.4) ? ("nothing" as const) : drawPayment(random, change),
    /** The gateway's reads say UNPAID that often after the payment, or until everything is quiet. */
    lag: random.chance(0.7) ? 0 : random.chance(0.6) ? random.whole(1, 4) : ("until_quiet" as const),
    readFaults: random.chance(0.25)
      ? Array.from({ length: random.whole(1, 3) }, () => ({ ...random.pick(READ_FAULTS), times: 1 }))
      : [],
    /** In the order they are sent; none: the notification is lost. */
    notifications: random.chance(LOST) ? [] : drawNotifications(random),
    notificationsAtOnce: random.chance(0.5),
    /** How often the shopper's browser completes the cart, in addition to the notifications. */
    completes: random.chance(0.5) ? random.whole(1, 3) : 0,
    /** The shopper edits the cart when the payment is under way already. */
    editsAfterPaying: random.chance(0.08),
    refund,
    /** Two people register each refund at the same time, at either server. */
    registersTwice: random.chance(0.3),
    /** The merchant cancels the order: with everything sent back that has to work, without it must not. */
    cancels: random.chance(isSentBack ? 0.6 : 0.1),
    /** What people do to the order, one after the other, once it is there. */
    acts: random.chance(isDraft ? 0.7 : 0.35) ? drawActs(random, isDraft) : [],
    /** Whether the merchant sends back before these acts, or after them. */
    refundsFirst: random.chance(0.3),
    /** Somebody forges a notification that says PAID. */
    forges: random.chance(0.1),
  }
}

function drawPayment(random: Random, change: Change): Payment {
  if (change === "paid_otherwise") {
    return random.weighted({ current_link: 0, old_link: 60, both_links: 0, wrong_amount: 0, nothing: 40 })
  }
  if (change === "item_added_and_removed") {
    return random.weighted({ current_link: 20, old_link: 20, both_links: 55, wrong_amount: 0, nothing: 5 })
  }
  const hasOldLink = ["item_added", "other_email", "other_region"].includes(change)
  return random.weighted(
    hasOldLink
      ? { current_link: 45, old_link: 30, both_links: 15, wrong_amount: 2, nothing: 8 }
      : { current_link: 87, old_link: 0, both_links: 0, wrong_amount: 3, nothing: 10 }
  )
}

function drawNotifications(random: Random): Notification[] {
  const length = random.chance(0.4) ? random.whole(2, 4) : 1
  const sent: Notification[] = Array.from({ length }, () => ({ status: "PAID", to: random.pick([0, 1]) }))
  if (random.chance(0.25)) {
    // Older news, arriving at any time.
    const at = random.whole(0, sent.length)
    sent.splice(at, 0, { status: random.pick(["UNPAID", "PENDING"]), to: random.pick([0, 1]) })
  }
  return sent
}
