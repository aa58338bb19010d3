import {
  afterAct,
  afterCheck,
  afterFacts,
  afterLease,
  decide,
  toDecisionInput,
  type DecidedFacts,
  type DecidedRow,
  type Decision,
  type Progress,
} from "../../src/decision"
import { TRANSITIONS, type Cause } from "../../src/modules/crypto-payments/payment-requests/life-cycle"
import { numberOf, Pool } from "./pool"
import { has } from "./rules"
import { bookingsOf, NONE, placedOrder, type Core, type Row, type State, type Step } from "./state"

/**
 * The product's own functions, between the states of the model and the types they take: the loop's steps, `decideTurn` and
 * the outcome within them, `decide`, and the table of transitions. Each answers the same for the same input, so an answer
 * is computed once.
 *
 * A mutation changes what such a function is given or answers, which is how its rule is taken out.
 */

/** What the loop sees of a row, and the row of the model it was made of. */
export type ModelRow = DecidedRow & { seen: Row }
export type ModelFacts = DecidedFacts & { collection_amount: string }

/** The model has no clock: everything is dated before or after this. */
const NOW = new Date("2026-11-22T12:00:00Z")
const before = (ms: number): Date => new Date(NOW.getTime() - ms)
const AGES = { new: before(1000), old: before(3 * 60_000) }
const HUNDRED_DAYS_MS = 100 * 24 * 60 * 60_000

const rows = new Pool<Row>((row) => Object.values(row).join())
const cores = new Pool<Core>((core) => JSON.stringify(core))
const modelRows = new Pool<ModelRow>(({ seen }) => String(numberOf(seen)))
const factsPool = new Pool<ModelFacts>((facts) => JSON.stringify(facts))
const steps = new Pool<Step>((step) => JSON.stringify(step))

export const internRow = (row: Row): Row => rows.intern(row)
export const internCore = (core: Core): Core => cores.intern(core)

function toModelRow(row: Row): ModelRow {
  const seen = internRow(row)
  return modelRows.intern({
    seen,
    amount: String(seen.amount),
    currency_code: "usd",
    created_at: seen.isOld ? before(HUNDRED_DAYS_MS) : AGES.old,
    paid_at: seen.paid === null ? null : AGES[seen.paid],
    gateway_status: seen.status,
    gateway_amount: String(seen.amount),
    gateway_currency_symbol: "USD",
    failing_since: seen.isFailing ? AGES.new : null,
    unread_since: seen.isFailing ? AGES.new : null,
    state: seen.state,
    order_id: null,
    captured_at: null,
    settled_at: seen.isSettled ? AGES.old : null,
    last_webhook_at: null,
    notified_at: null,
    is_reported_paid: false,
    attention_reason: seen.reason,
    attention_resolved_at: null,
  })
}

/** The statement of core-facts.ts `readSettlementFacts`, for a store with one cart and one payment collection. */
export function readFacts(state: State, place: number): ModelFacts {
  const core = internCore(state.core)
  const row = internRow(state.rows[place] as Row)
  const isRivalPaid = state.rows.some(
    ({ paid, session }, index) => index !== place && paid !== null && core.sessions[session]?.isLive === true
  )
  const key = 2 * (numberOf(core) * MOST_ROWS + numberOf(row)) + Number(isRivalPaid)
  let facts = factsRead.get(key)
  if (facts === undefined) {
    facts = factsPool.intern(toFacts(core, row, isRivalPaid))
    factsRead.set(key, facts)
  }
  return facts
}

function toFacts(core: Core, row: Row, isRivalPaid: boolean): ModelFacts {
  const { sessions } = core
  const session = sessions[row.session]
  const ownSession = row.paidSession !== NONE || has("core-facts.own_payment") ? row.paidSession : row.session
  const own = sessions[ownSession]
  const captured = own?.capture != null ? own.amount : 0
  const others = sessions.filter((_, index) => index !== ownSession).filter(({ capture }) => capture !== null)
  const othersNet = others.reduce((sum, { amount, isRefunded }) => sum + (isRefunded ? 0 : amount), 0)
  const ownNet = own?.isRefunded === true ? 0 : captured
  const placed = placedOrder({ core })
  const order = core.orders[placed] ?? null
  const booked = bookingsOf(order, ownSession) * (own?.amount ?? 0)
  return {
    database_now: NOW,
    session_amount: session?.isLive === true ? String(session.amount) : null,
    session_currency_code: session?.isLive === true ? "usd" : null,
    session_created_at: null,
    link_asked_at: null,
    renewal_tried_at: null,
    renewal_failing_since: null,
    collection_amount: String(core.collectionAmount),
    collection_captured: String(captured + others.reduce((sum, { amount }) => sum + amount, 0)),
    // Keeps what an order's collections ask for out of the exploration.
    collection_has_open_payment: true,
    rest_is_asked_for: false,
    cart_id: "cart",
    payment_id: captured > 0 ? `payment of session ${ownSession + 1}` : null,
    payment_captured: String(captured),
    payment_refunded: own?.isRefunded === true ? String(captured) : "0",
    registered_refund: row.refund === "none" ? "0" : String(row.amount),
    order_id: order === null ? null : `order ${placed + 1}`,
    order_canceled: order?.isCanceled === true,
    order_deleted: false,
    other_payments: "0",
    is_paid_again: false,
    provider_missing: false,
    order_booked: captured > 0 && booked === captured,
    order_booked_amount: String(booked),
    order_unpaid: order === null ? null : String(order.total - othersNet - ownNet),
    paid_by_another:
      order !== null && others.length > 0
        ? order.total - othersNet < 0.005
        : others.some(({ isRefunded }) => !isRefunded),
    paid_by_provider: null,
    adopting_collection_id: isAdoptable(core, row, isRivalPaid) ? "collection" : null,
    is_collection_deleted: false,
    needs_collection: false,
    // An order's links are replaced outside of what is explored here.
    link_amount: session?.isLive === true ? String(session.amount) : null,
    order_expires_from: null,
    order_prolonged_at: null,
    order_payment_began_at: null,
    order_obstacle: null,
    is_newest_link: true,
    first_captured_at: own?.capture == null ? null : AGES[own.capture],
  }
}

/** `adopting` in core-facts.ts. The model has no order that is placed unpaid. */
function isAdoptable({ sessions, collectionAmount, orders }: Core, row: Row, isRivalPaid: boolean): boolean {
  const isWaiting = row.state === "paid" && row.paidSession === NONE && row.refund === "none"
  const isUnpaid = !isRivalPaid && sessions.every(({ capture }) => capture === null)
  const isPlaced = orders.some((order) => order?.hasCart === true)
  const isFree = sessions[row.session]?.isLive !== true && !isPlaced
  return isWaiting && isUnpaid && isFree && collectionAmount === row.amount
}

/** More rows than are ever told apart. */
const MOST_ROWS = 2 ** 26
const factsRead = new Map<number, ModelFacts>()
const POLICY = { unpaidOrderTtlMs: null, isAskedByPerson: false }
const answers = new Map<string, Step>()
const decisions = new Map<string, Decision>()

/** Forgets what was computed with other mutations. */
export function forgetAnswers(): void {
  factsRead.clear()
  answers.clear()
  decisions.clear()
}

function once(key: string, compute: () => Step): Step {
  let answer = answers.get(key)
  if (answer === undefined) {
    answer = steps.intern(compute())
    answers.set(key, answer)
  }
  return answer
}

/** The loop's first step, once the gateway was read and the row has what it said. */
export function stepAfterCheck(row: Row, failure: "refused" | null): Step {
  const known = toModelRow(row)
  return once(`check ${numberOf(known)} ${String(failure)}`, () => afterCheck({ row: known, failure }))
}

export function stepAfterFacts(step: Step & { wants: "facts" }, facts: ModelFacts): Step {
  return once(`facts ${numberOf(step)} ${numberOf(facts)}`, () => {
    const next = afterFacts(step, mutateFacts(facts), POLICY)
    if (next.wants !== "lease") {
      return next
    }
    return next.act === "book" && !has("decide-turn.book")
      ? // What would be written if the settle ended now: all its acts are used up.
        afterFacts({ ...step, acts: Infinity }, mutateFacts(facts), POLICY)
      : next
  })
}

export const stepAfterLease = (step: Step & { wants: "lease" | "act" }): Step =>
  once(`lease ${numberOf(step)}`, () => afterLease(step))

export const stepAfterAct = (step: Step & { wants: "lease" | "act" }, done: Progress): Step =>
  once(`act ${numberOf(step)} ${Object.values(done).join()}`, () => afterAct(step, done))

/** What the provider decides while core authorizes a session, or deletes one. */
export function decideRow(state: State, place: number): Decision {
  const row = toModelRow(state.rows[place] as Row)
  const facts = readFacts(state, place)
  const key = `${numberOf(row)} ${numberOf(facts)}`
  let decision = decisions.get(key)
  if (decision === undefined) {
    decision = decide(toDecisionInput(row, row.seen.isFailing ? "refused" : null, mutateFacts(facts), NOW))
    decisions.set(key, decision)
  }
  return decision
}

function mutateFacts(facts: ModelFacts): ModelFacts {
  return has("decide.canceled_order") ? facts : { ...facts, order_canceled: false }
}

/** When the outcome has the row looked at again. */
export function toDue(nextCheckAt: Date | null): Row["due"] {
  if (nextCheckAt === null) {
    return "never"
  }
  return nextCheckAt.getTime() <= NOW.getTime() ? "now" : "later"
}

/**
 * A transition of the product's table.
 *
 * @returns undefined when the row's state does not allow it
 */
export function transition(row: Row, cause: Cause, set: Partial<Row> = {}): Row | undefined {
  const { from, to } = TRANSITIONS[cause]
  const allowed: readonly string[] =
    cause === "read_as_paid" && !has("life-cycle.closed_can_be_paid")
      ? from.filter((state) => state !== "closed")
      : from
  return allowed.includes(row.state) ? { ...row, ...set, state: to } : undefined
}
