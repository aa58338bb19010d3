/**
 * The rules that the model states itself, because the product states them in SQL, in the provider's class or in core's
 * workflows, which cannot run here. Each is named after the index, predicate or statement that holds it, and can be taken
 * out. What is not listed is either the product's own code, which runs, or a fact about core.
 */
export const RULES = {
  "adoptPaid.limit": "links.ts: money of a deleted session is bound to the new session, one request only",
  IDX_crypto_payment_request_one_live: "index: a session has one row that can pay for it",
  IDX_crypto_payment_request_paid_session_id_unique: "index: a session is paid by one row",
  "core-facts.own_payment": "core-facts.ts: a row's own payment is that of the session it has claimed",
  "sweep.settled_orders":
    "sweeps.ts: settled payments whose order is cancelled or not booked are looked at again",
  "sweep.silent_orders": "sweeps.ts: order.placed that nobody heard is sent again",
  "sweep.forgotten": "sweeps.ts: paid, unfinished rows without a case and without a next check are due",
  IDX_crypto_payment_request_gateway_account:
    "index and match-listed.ts: a gateway payment is known by account and id, and by its note, at any address",
  "unlinked-orders.cleared":
    "clear-unlinked-orders.ts: an order that a dead completion began is taken back first",
  "lease.is_free": "request-sql.ts IS_FREE: only a row that nobody holds is leased",
  "lease.fence": "store.ts fence(): every write of a settle requires its lease",
  "finish.due_again": "store.ts finish(): who is asked for a check while a settle runs is due again",
  outbox:
    "store.ts writeOutcome(): an announcement is written with its outcome, and sent until it is known to be sent",
  "claim.paid_session": "store.ts claimSession(): a request pays one session, once",
  "withdraw.veto": "service.ts withdrawLink(): a session whose link is paid cannot be deleted",
  "completion-lease":
    "cart-completion.ts: a storefront's completion holds the rows that a settle might complete",
  "refund.pays_nothing": "store.ts claimSession(): what was sent back pays for nothing",
} as const

/** Changes of the product's own functions: see product.ts. */
export const MUTATIONS = {
  "life-cycle.closed_can_be_paid": "life-cycle.ts: read_as_paid is allowed from closed",
  "decide.canceled_order": "decide.ts: money of a cancelled order opens a case",
  "decide-turn.book":
    "decide-turn.ts: a capture that core was interrupted before booking is booked on its order",
} as const

export type RuleName = keyof typeof RULES | keyof typeof MUTATIONS

const takenOut = new Set<RuleName>()

/** Whether the product has the rule in this exploration. */
export const has = (rule: RuleName): boolean => !takenOut.has(rule)

/** Takes the named rules out of the model or of the product's functions, and puts all others back. */
export function takeOut(names: readonly RuleName[]): void {
  takenOut.clear()
  for (const name of names) {
    takenOut.add(name)
  }
}
