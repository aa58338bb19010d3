import { isBookedWrongly, isCaptureInterrupted, type Act, type Progress } from "../../src/decision"
import { clearUnlinkedOrders, coreSteps, whileLocked, WORK } from "./core"
import type { Move } from "./moves"
import { readFacts, type ModelFacts, type ModelRow } from "./product"
import { askToDelete, dropSession } from "./provider"
import { adoptPaid } from "./shop-opening"
import { liveSessions, places } from "./shop-tasks"
import {
  book,
  bookingsOf,
  NONE,
  placedOrder,
  withCore,
  withOrder,
  type CoreWork,
  type Settling,
  type State,
  type Step,
  type Who,
  type Work,
} from "./state"

/** The acts of a settle, as `workflows/core/settle-acts.ts` and the files it uses have them, one write a step. */
interface ActStep extends Omit<Move, "to"> {
  state: State
  /** What follows in this act; or it is done, and this is what the settle has done so far. */
  next: Work | { done: Progress }
}

type Acting = Step & { wants: "lease" | "act" }

/** Acts on orders that are placed unpaid, or that change after they are paid: the model has none. */
type ActOnOrder = "expire" | "renew" | "align"

const FIRST_PLACE: Record<Exclude<Act, ActOnOrder>, Work["at"]> = {
  adopt: "adopt",
  capture: "repair",
  book: "book",
  unbook: "unbook",
  verify: "verify",
}

/** Where an act begins. @throws for the acts on orders, which the model has no need of */
export function beginAct(act: Act): Work {
  if (act === "expire" || act === "renew" || act === "align") {
    throw new Error(`the model has no order to ${act}`)
  }
  return { ...WORK, at: FIRST_PLACE[act] }
}

export function actSteps(state: State, who: Who, { core, row }: Settling, step: Acting): ActStep[] {
  const work = core ?? beginAct(step.act)
  switch (work.at) {
    case "adopt":
      return adopt(state, who, row, step)
    case "repair":
      return repair(state, who, work, step)
    case "rivals":
      return dropRivals(state, work, step)
    case "book":
      return bookCapture(state, who, row, step)
    case "unbook":
      return unbook(state, who, row, step)
    case "verify":
      return verify(state, who, step)
    default:
      return inCore(state, who, { ...work, at: work.at }, step)
  }
}

const isCaptured = (facts: ModelFacts): boolean => facts.payment_captured !== "0"

const captured = ({ done }: Acting, mayTryAgain: boolean): { done: Progress } => ({
  done: { ...done, captures: done.captures + 1, isCaptureOver: !mayTryAgain },
})

/** `adoptPayment`: the other sessions go, and the money gets a new one. */
function adopt(state: State, who: Who, place: number, step: Acting): ActStep[] {
  const next = { done: { ...step.done, isAdopted: true } }
  const turn = whileLocked(state, who)
  if (turn !== "free") {
    return turn === undefined ? [] : [{ says: "cannot adopt: a dead process has the lock", state, next }]
  }
  const { amount } = seenOf(step.row)
  if (readFacts(state, place).adopting_collection_id === null || state.shop?.doing === "open") {
    return [{ says: "finds that the collection is not free any more", state, next }]
  }
  let after = state
  for (const old of places(liveSessions(state))) {
    const asked = askToDelete(after, old)
    if (asked.isVetoed) {
      return [{ says: "finds that another session is paid", state: asked.state, next }]
    }
    after = dropSession(asked.state, old)
  }
  const made = withCore(after, {
    sessions: [
      ...after.core.sessions,
      { amount, isLive: true, link: NONE, capture: null, isRefunded: false },
    ],
  })
  const adopted = adoptPaid(made, after.core.sessions.length, amount)
  return [{ says: "gives the money a session again", state: adopted ?? after, next }]
}

/** `captureInCore`, until core has its turn. */
function repair(state: State, who: Who, work: Work, step: Acting): ActStep[] {
  const { facts } = step
  let repaired = state
  if (facts.order_id !== null) {
    const placed = placedOrder(state)
    if (placed !== NONE && state.core.orders[placed]?.hasCollection === false) {
      const turn = whileLocked(state, who)
      if (turn === undefined) {
        return []
      }
      repaired = turn === "free" ? withOrder(state, placed, { hasCollection: true }) : state
    }
  } else {
    const clearance = clearUnlinkedOrders(state, who, isCaptureInterrupted({ captured_at: null }, facts))
    if (clearance === undefined) {
      return []
    }
    if (clearance.kind === "in_use") {
      return [{ says: "leaves the cart to whoever may be completing it", state, next: captured(step, false) }]
    }
    repaired = clearance.state
    if (facts.session_amount !== null && facts.session_amount !== facts.collection_amount) {
      repaired = withCore(repaired, { collectionAmount: Number(facts.session_amount) })
    }
  }
  const says =
    repaired === state ? "has core do its part" : "repairs what an interrupted completion or edit has left"
  return [
    {
      says,
      state: repaired,
      next: isCaptured(facts)
        ? { ...work, at: "rivals" }
        : { ...work, at: "process: lock", session: seenOf(step.row).session },
    },
  ]
}

const seenOf = ({ seen }: ModelRow): ModelRow["seen"] => seen

/** `dropRivalSessions`: what else is live on the collection that this request has paid. */
function dropRivals(state: State, work: Work, { row }: Acting): ActStep[] {
  const { session, paidSession } = seenOf(row)
  const paying = paidSession === NONE ? session : paidSession
  let after = state
  for (const [index, { isLive, capture }] of state.core.sessions.entries()) {
    if (isLive && index !== paying && capture === null) {
      const asked = askToDelete(after, index)
      after = asked.isVetoed ? asked.state : dropSession(asked.state, index)
    }
  }
  return [{ says: "lets other sessions go", state: after, next: { ...work, at: "complete: lock" } }]
}

function inCore(state: State, who: Who, work: CoreWork, step: Acting): ActStep[] {
  return coreSteps(state, who, work).map(({ next, ...coreStep }) => {
    if (next === "stuck") {
      return { ...coreStep, next: captured(step, false) }
    }
    return { ...coreStep, next: next === "done" ? captured(step, true) : next }
  })
}

/** `bookUnderCartLock` */
function bookCapture(state: State, who: Who, place: number, step: Acting): ActStep[] {
  const over = { done: { ...step.done, isBooked: true } }
  const turn = whileLocked(state, who)
  if (turn !== "free") {
    return turn === undefined ? [] : [{ says: "cannot book: a dead process has the lock", state, next: over }]
  }
  const latest = readFacts(state, place)
  const order = placedOrder(state)
  const session = state.rows[place]?.paidSession ?? NONE
  if (latest.order_booked || order === NONE || !isCaptured(latest)) {
    return [{ says: "finds nothing to book any more", state, next: over }]
  }
  const linked = withOrder(state, order, { hasCollection: true })
  const isNeeded = session !== NONE && bookingsOf(linked.core.orders[order] ?? null, session) === 0
  return [
    {
      says: `books the capture on order ${order + 1}`,
      state: isNeeded ? book(linked, order, session) : linked,
      next: over,
    },
  ]
}

/** `unbookUnderCartLock` */
function unbook(state: State, who: Who, place: number, step: Acting): ActStep[] {
  const next = { done: { ...step.done, isUnbooked: true } }
  const turn = whileLocked(state, who)
  if (turn !== "free") {
    return turn === undefined
      ? []
      : [{ says: "cannot repair the books: a dead process has the lock", state, next }]
  }
  const order = placedOrder(state)
  const session = state.rows[place]?.paidSession ?? NONE
  if (order === NONE || session === NONE || !isBookedWrongly(readFacts(state, place))) {
    return [{ says: "finds the books right", state, next }]
  }
  const known = state.core.orders[order]?.bookings ?? 0
  const bookings = (known & ~(3 << (2 * session))) | (1 << (2 * session))
  return [
    { says: `leaves one booking on order ${order + 1}`, state: withOrder(state, order, { bookings }), next },
  ]
}

function verify(state: State, who: Who, step: Acting): ActStep[] {
  const turn = whileLocked(state, who)
  if (turn === undefined) {
    return []
  }
  const verified = turn === "free" ? "free" : "in_use"
  return [{ says: `waits for the cart: ${verified}`, state, next: { done: { ...step.done, verified } } }]
}
