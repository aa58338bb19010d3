import type { RuleName } from "./rules"
import { oneLink, twoOrphans } from "./scenarios"
import type { State } from "./state"

/** Rules that are taken out together, and the small exploration that has to break then, and not with them. */
interface Proof {
  says: string
  rules: readonly RuleName[]
  /** The invariant that breaks. */
  breaks: string
  start: State
}

/** `fault-…`: what was built against a fault that was reproduced once, by the number it had then. */
export const PROOFS: Record<string, Proof> = {
  "fault-1": {
    says: "both links of a changed cart were paid, and one of them vanished from the attention list",
    rules: [
      "adoptPaid.limit",
      "IDX_crypto_payment_request_one_live",
      "IDX_crypto_payment_request_paid_session_id_unique",
      "core-facts.own_payment",
    ],
    breaks: "I2",
    start: twoOrphans({ opens: 1, edits: 1 }),
  },
  "fault-2": {
    says: "a paid order was cancelled, and nobody was told",
    rules: ["sweep.settled_orders"],
    breaks: "I4",
    start: oneLink({ payments: 1, cancels: 1, losses: 1 }),
  },
  "fault-3": {
    says: "order.placed of a paid order never came",
    rules: ["sweep.silent_orders"],
    breaks: "I6",
    start: oneLink({ payments: 1, completions: 1, crashes: 1 }),
  },
  "fault-4": {
    says: "the gateway's address changed, and history was recorded twice",
    rules: ["IDX_crypto_payment_request_gateway_account"],
    breaks: "I7",
    start: oneLink({ payments: 1, moves: 1 }),
  },
  "fault-8": {
    says: "a server that ended while it completed a cart left a second order next to the right one",
    rules: ["unlinked-orders.cleared"],
    breaks: "I4",
    start: oneLink({ payments: 1, completions: 1, crashes: 1 }),
  },
  "late-write": {
    says: "a settle that was held up for minutes writes after another one has taken its row",
    rules: ["lease.fence"],
    breaks: "I8",
    start: oneLink({ payments: 1, pauses: 1 }),
  },
  "lost-announcement": {
    says: "a server is killed between the outcome and its events",
    rules: ["outbox"],
    breaks: "I6",
    start: oneLink({ payments: 1, crashes: 1 }),
  },
  "two-completions": {
    says: "the lock server loses the cart's lock while a settle and the storefront complete the cart",
    rules: ["completion-lease"],
    breaks: "I4",
    start: oneLink({ payments: 1, completions: 1, lostLocks: 1 }),
  },
  "forgotten-news": {
    says: "PAID is recorded by somebody else while a settle runs that has read UNPAID",
    rules: ["finish.due_again", "sweep.forgotten"],
    breaks: "I2",
    start: oneLink({ payments: 1, opens: 1, edits: 1 }),
  },
  "closed-link": {
    says: "a link is paid after its row was closed",
    rules: ["life-cycle.closed_can_be_paid"],
    breaks: "I2",
    start: oneLink({ payments: 1, edits: 1 }),
  },
  "cancelled-order": {
    says: "the decision does not see that the order is cancelled",
    rules: ["decide.canceled_order"],
    breaks: "I4",
    start: oneLink({ payments: 1, cancels: 1 }),
  },
  "unbooked-capture": {
    says: "core is killed between the capture and its booking, and nobody books it",
    rules: ["decide-turn.book"],
    breaks: "I4",
    start: oneLink({ payments: 1, crashes: 1 }),
  },
}
