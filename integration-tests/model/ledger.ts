import { opensCase } from "../../src/modules/crypto-payments/payment-requests/attention-case"
import type { AttentionReason } from "../../src/decision"
import { decideRow, toDue, transition } from "./product"
import { has } from "./rules"
import { isFinal, itemAt, NONE, withRow, type Link, type Row, type State, type Step, type Who } from "./state"

/** The statements of the ledger, each one step, as `store.ts`, `queue.ts`, `links.ts` and `refund-store.ts` have them. */

/** Whether `IS_FREE` lets a settle take the row. */
export const isFree = (row: Row): boolean => row.lease === null || !has("lease.is_free")

/** Whether a write under the lease is made. Without the fence it is made anyhow, and that is what I8 forbids. */
type Fenced = { kind: "written"; state: State } | { kind: "lost" }

function fenced(state: State, place: number, who: Who, write: (state: State) => State): Fenced {
  if (itemAt(state.rows, place).lease === who) {
    return { kind: "written", state: write(state) }
  }
  if (has("lease.fence")) {
    return { kind: "lost" }
  }
  const written = write(state)
  return {
    kind: "written",
    state: { ...written, broken: "I8: a settle has written after it lost its lease" },
  }
}

/** `recordReading`: PAID is recorded once, and nothing said later changes it. */
function recordReading(state: State, place: number, status: Link["status"]): State {
  const row = itemAt(state.rows, place)
  if (row.paid !== null) {
    return state
  }
  // What is read at the new address, and has the row's session as its note, moves the row there.
  const isMoving = state.gateway.isMoved && has("IDX_crypto_payment_request_gateway_account")
  const read: Partial<Row> = { status, isFailing: false, isAtOldAddress: row.isAtOldAddress && !isMoving }
  if (status !== "PAID") {
    return withRow(state, place, read)
  }
  const isTaken =
    row.session !== NONE &&
    has("IDX_crypto_payment_request_one_live") &&
    hasOtherLiveRow(state, place, row.session)
  const paid = transition(row, "read_as_paid", {
    ...read,
    paid: "new",
    isOld: false,
    due: row.due === "now" ? "now" : "later",
    // A closed row, whose session another row can pay for now: this money pays for none.
    ...(isTaken ? { session: NONE } : {}),
  })
  return paid === undefined ? state : withRow(state, place, paid)
}

function hasOtherLiveRow({ rows }: State, place: number, session: number): boolean {
  return rows.some(
    (row, index) =>
      index !== place &&
      row.state !== "closed" &&
      row.session === session &&
      (row.sessions & (1 << session)) !== 0
  )
}

export function recordReadingUnderLease(
  state: State,
  place: number,
  who: Who,
  reading: Link["status"] | "refused"
): Fenced {
  return fenced(state, place, who, (now) =>
    reading === "refused" ? recordFailure(now, place) : recordReading(now, place, reading)
  )
}

function recordFailure(state: State, place: number): State {
  return itemAt(state.rows, place).paid === null ? withRow(state, place, { isFailing: true }) : state
}

/** `finish`: state, case, announcements and next check in one transaction, and the row is given back. */
export function finish(state: State, place: number, who: Who, step: Step & { wants: "finish" }): Fenced {
  return fenced(state, place, who, (now) => writeOutcome(now, place, step))
}

function writeOutcome(
  state: State,
  place: number,
  { row: decidedOn, outcome }: Step & { wants: "finish" }
): State {
  const current = itemAt(state.rows, place)
  const { seen } = decidedOn
  const isDueAgain =
    has("finish.due_again") && ((current.paid === null) !== (seen.paid === null) || current.isAsked)
  const decided = toDue(outcome.nextCheckAt)
  const isSettled = outcome.settledAt !== null
  const set: Partial<Row> = {
    isSettled,
    due: isDueAgain ? "now" : current.isHurried ? sooner(current.due, decided) : decided,
    isHurried: false,
    lease: null,
    ...(outcome.attention !== undefined && isNewCase(current, outcome.attention)
      ? { reason: outcome.attention, caseNews: "written" as const }
      : {}),
    ...(outcome.attention === undefined && isCaseOver(current, outcome.endsCases)
      ? { reason: null, caseNews: "none" as const }
      : {}),
    ...(outcome.cause === "captured" && !current.isSettled && isSettled
      ? { settledNews: "written" as const }
      : {}),
  }
  if (outcome.cause === undefined) {
    return withRow(state, place, set)
  }
  const changed = transition(current, outcome.cause, set)
  if (changed !== undefined) {
    return withRow(state, place, changed)
  }
  if (outcome.cause === "given_up" || outcome.cause === "link_withdrawn") {
    return withRow(state, place, set)
  }
  const unknown = `life cycle: a row that is ${current.state} cannot be changed by ${outcome.cause}`
  return { ...state, broken: unknown }
}

const DUE_ORDER: readonly Row["due"][] = ["now", "later", "never"]

function sooner(one: Row["due"], other: Row["due"]): Row["due"] {
  return DUE_ORDER.find((due) => due === one || due === other) ?? "never"
}

/** The product's own `opensCase`. */
function isNewCase({ reason }: Row, opened: AttentionReason): boolean {
  return opensCase({ attention_reason: reason } as Parameters<typeof opensCase>[0], opened)
}

function isCaseOver({ reason }: Row, endsCases: "all" | "unpaid" | "gateway" | undefined): boolean {
  return endsCases === "all" || (endsCases !== undefined && reason?.startsWith("gateway_") === true)
}

/** `openCase` of the provider. */
function openCase(state: State, place: number, reason: AttentionReason): State {
  return isNewCase(itemAt(state.rows, place), reason)
    ? withRow(state, place, { reason, caseNews: has("outbox") ? "written" : "sent" })
    : state
}

/** `requestCheck`: the row is due now, unless nothing can follow for it. */
export function requestCheck(state: State, place: number): State {
  return isFinal(itemAt(state.rows, place)) ? state : withRow(state, place, { due: "now", isAsked: true })
}

/** `claimSession`: binds the money to one session, for ever. @returns undefined when it is refused */
export function claimSession(state: State, place: number, session: number): State | undefined {
  const row = itemAt(state.rows, place)
  const isSentBack = has("refund.pays_nothing") && (row.refund !== "none" || row.state === "refunded")
  const isElsewhere = has("claim.paid_session") && row.paidSession !== NONE && row.paidSession !== session
  const isTaken =
    has("IDX_crypto_payment_request_paid_session_id_unique") &&
    state.rows.some((other, index) => index !== place && other.paidSession === session)
  if (row.paid === null || isSentBack || isElsewhere || isTaken) {
    return undefined
  }
  const isMovedOn = row.paidSession !== NONE && row.paidSession !== session
  const claimed = withRow(state, place, { paidSession: session })
  return isMovedOn ? { ...claimed, broken: `I1: link ${row.link + 1} pays a second session` } : claimed
}

/** `findBySession`: the newest row that is bound to the session. */
export const findBySession = ({ rows }: State, session: number): number =>
  rows.reduce((found, row, index) => (row.session === session ? index : found), NONE)

/** `findOwn`: the row both ids of a session's data belong to. */
export function findOwn({ rows, core }: State, session: number): number {
  const link = core.sessions[session]?.link ?? NONE
  return link === NONE
    ? NONE
    : rows.findIndex((row) => row.link === link && (row.sessions & (1 << session)) !== 0)
}

/** What the gateway says of a row's link now. */
export function readGateway({ gateway }: State, row: Row): Link["status"] | "refused" {
  return gateway.links[row.link]?.status ?? "refused"
}

/** The provider's check: one read, recorded without a lease; a row that is paid is not read again. */
export function check(state: State, place: number): State {
  const row = itemAt(state.rows, place)
  if (row.paid !== null) {
    return state
  }
  const reading = readGateway(state, row)
  return reading === "refused" ? recordFailure(state, place) : recordReading(state, place, reading)
}

/** The provider's `check`: reads, decides, and opens a case where the table says so. */
export function checkAndDecide(state: State, place: number): { state: State; kind: string } {
  const checked = check(state, place)
  const decision = decideRow(checked, place)
  const isCase = decision.kind === "attention" && decision.reason !== "paid_without_order"
  return { state: isCase ? openCase(checked, place, decision.reason) : checked, kind: decision.kind }
}

/** What binds a row to a new session, unless another live row has that. */
export function bindTo(
  state: State,
  place: number,
  session: number,
  cause: "money_rebound" | "link_reused",
  set: Partial<Row>
): State | undefined {
  if (has("IDX_crypto_payment_request_one_live") && hasOtherLiveRow(state, place, session)) {
    return undefined
  }
  const row = itemAt(state.rows, place)
  const bound = transition(row, cause, { ...set, session, sessions: row.sessions | (1 << session) })
  return bound && withRow(state, place, bound)
}

/** `mayBeRebound`: money that no session is waiting for, and that nobody has dealt with. */
export function mayBeRebound({ core }: State, row: Row): boolean {
  return (
    row.state === "paid" &&
    row.paidSession === NONE &&
    row.refund === "none" &&
    core.sessions[row.session]?.isLive !== true
  )
}
