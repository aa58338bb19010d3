import { requestCheck } from "./ledger"
import type { Move } from "./moves"
import { transition } from "./product"
import { has } from "./rules"
import { sendAnnouncements } from "./settling"
import { bookRefund, endRefund } from "./shop-refund"
import {
  bookingsOf,
  isFinal,
  itemAt,
  NEW_ROW,
  NONE,
  placedOrder,
  withLink,
  withOrder,
  withRow,
  type Holder,
  type Order,
  type Row,
  type State,
} from "./state"

/** What happens by itself sooner or later: news arrive, the schedule's sweeps find work, the gateway's list is compared. */

export function deliveries(state: State, moves: Move[]): void {
  for (const [link, { isNotifying }] of state.gateway.links.entries()) {
    if (isNotifying) {
      moves.push({
        says: `the notification of link ${link + 1} arrives`,
        to: recordNotification(state, link),
      })
    }
  }
  for (const [place, order] of state.core.orders.entries()) {
    if (order?.placed === "sent") {
      moves.push({ says: `order.placed of order ${place + 1} is heard`, to: learnOfPlaced(state, place) })
    }
    if (order?.isCancelNews === true) {
      moves.push({ says: `order.canceled of order ${place + 1} is heard`, to: learnOfCanceled(state, place) })
    }
  }
}

/** `recordNotification`. Of a request without a row nothing is known; the nightly comparison finds it. */
function recordNotification(state: State, link: number): State {
  const heard = withLink(state, link, { isNotifying: false })
  const place = state.rows.findIndex((row) => row.link === link)
  return place === NONE ? heard : requestCheck(heard, place)
}

/** `noteOrderAnnounced` and `makePlacedDue` */
function learnOfPlaced(state: State, place: number): State {
  const heard = withOrder(state, place, { placed: "heard" })
  const rows = heard.rows.map((row): Row =>
    row.paid !== null && !isFinal(row) && row.lease === null ? { ...row, due: "now", isAsked: true } : row
  )
  return { ...heard, rows }
}

/** `OrderLinks.withdraw` and `makeChangedDue` */
function learnOfCanceled(state: State, place: number): State {
  const heard = withOrder(state, place, { isCancelNews: false })
  const rows = heard.rows.map((row): Row => {
    const isBound = row.session !== NONE
    const withdrawn =
      (isBound && (transition(row, "creation_failed") ?? transition(row, "link_withdrawn"))) || row
    return row.paid !== null && row.state !== "refunded"
      ? { ...withdrawn, due: "now", isAsked: true }
      : withdrawn
  })
  return { ...heard, rows }
}

/** `workflows/sweep.ts`, one row a step. A sweep that finds nothing is no step. */
export function sweeps(state: State, moves: Move[]): void {
  const placed = placedOrder(state)
  const order = state.core.orders[placed] ?? null
  for (const [place, row] of state.rows.entries()) {
    const name = `link ${row.link + 1}`
    const isAnnouncing = state.settles.some(
      (settling) => settling?.at === "announce" && settling.row === place
    )
    if ((row.settledNews === "written" || row.caseNews === "written") && !isAnnouncing) {
      moves.push({ says: `a sweep sends the announcements of ${name}`, to: sendAnnouncements(state, place) })
    }
    if (has("sweep.silent_orders") && isSilent(row, order)) {
      moves.push({
        says: `a sweep sends order.placed of order ${placed + 1} again`,
        to: withOrder(state, placed, { placed: "sent" }),
      })
    }
    if (has("sweep.settled_orders") && hasLostOrder(state, row, order)) {
      moves.push({
        says: `a sweep finds that ${name} has lost its order`,
        to: withRow(state, place, { due: "now", isAsked: true }),
      })
    }
    if (row.state === "open" && order?.isCanceled === true) {
      const withdrawn = transition(row, "link_withdrawn")
      moves.push({ says: `a sweep withdraws ${name}`, to: withRow(state, place, withdrawn ?? {}) })
    }
    if (has("sweep.forgotten") && isForgotten(row)) {
      moves.push({ says: `a sweep makes ${name} due`, to: withRow(state, place, { due: "now" }) })
    }
    const isInterrupted = row.refund === "registered" && row.lease === null && state.core.lock === null
    if (isInterrupted && state.shop?.doing !== "refund") {
      moves.push({
        says: `a sweep books the refund of ${name}`,
        to: endRefund(bookRefund(state, place), place),
      })
    }
  }
}

/** `listUnannouncedOrders` */
const isSilent = (row: Row, order: Order | null): boolean =>
  row.state === "captured" &&
  row.isSettled &&
  order !== null &&
  !order.isCanceled &&
  order.placed === "unsent"

/** `makeLostOrdersDue` */
function hasLostOrder(state: State, row: Row, order: Order | null): boolean {
  const isLookedAt =
    row.state === "captured" && row.isSettled && row.reason !== "paid_without_order" && row.due === "never"
  const isCaptured = state.core.sessions[row.paidSession]?.capture != null
  const isBooked = isCaptured && bookingsOf(order, row.paidSession) === 1
  return isLookedAt && (order === null || order.isCanceled || !isBooked)
}

/** `makeForgottenDue` */
const isForgotten = (row: Row): boolean =>
  row.due === "never" &&
  !row.isSettled &&
  row.reason === null &&
  row.paid !== null &&
  (row.state === "paid" || row.state === "captured") &&
  row.lease === null

export const isCalm = ({ settles, shop }: State): boolean =>
  settles[0] === null && settles[1] === null && shop === null

/** The nightly comparison with the gateway's list (`match-listed.ts`, `list-store.ts`), one request a step. */
export function nights(state: State, moves: Move[]): void {
  if (!isCalm(state)) {
    return
  }
  for (const [link, { status, note }] of state.gateway.links.entries()) {
    const place = state.rows.findIndex(
      (row) => row.link === link && (has("IDX_crypto_payment_request_gateway_account") || !row.isAtOldAddress)
    )
    const row = state.rows[place]
    const says = (what: string): string => `the nightly list shows link ${link + 1}: ${what}`
    if (row !== undefined) {
      if (status === "PAID" && row.paid === null && row.due !== "now") {
        const to = withRow(state, place, { due: "now", isAsked: true })
        moves.push({ says: says("it is PAID, and looked at"), to })
      }
      continue
    }
    const incomplete = state.rows.findIndex(({ session, link: known }) => session === note && known === NONE)
    if (incomplete !== NONE) {
      const found = transition(itemAt(state.rows, incomplete), "found_in_list", {
        link,
        due: "now",
        isAsked: true,
      })
      if (found !== undefined) {
        moves.push({ says: says("its answer had been lost"), to: withRow(state, incomplete, found) })
      }
      continue
    }
    const added: Row = {
      ...NEW_ROW,
      link,
      sessions: 1 << note,
      amount: itemAt(state.gateway.links, link).amount,
      state: "closed",
      due: "now",
      isAsked: true,
    }
    moves.push({ says: says("it has no row, and gets one"), to: { ...state, rows: [...state.rows, added] } })
  }
}

/** Minutes pass: leases and locks of the dead end, rows become due, and what was new may be taken for interrupted. */
export function minutes(state: State, moves: Move[]): void {
  const isInCore =
    state.shop !== null || state.settles.some((settling) => settling !== null && settling.core !== null)
  const isPause = state.settles.some((settling) => settling !== null)
  if (isInCore || (isPause && state.left.pauses === 0)) {
    return
  }
  const later = (lease: Holder): Holder => (lease === "dead" || isPause ? null : lease)
  const rows = state.rows.map((row): Row => ({
    ...row,
    lease: later(row.lease),
    due: row.due === "later" ? "now" : row.due,
    // How old something is matters only until it is done with.
    paid: row.state === "paid" ? "old" : row.paid,
  }))
  const { core, left } = state
  const placed = core.orders[placedOrder(state)] ?? null
  const to: State = {
    ...state,
    rows,
    core: {
      ...core,
      lock: core.lock === "dead" ? null : core.lock,
      sessions: core.sessions.map((session, place) => {
        const isBooked = bookingsOf(placed, place) === 1
        return session.capture === null || isBooked ? session : { ...session, capture: "old" }
      }),
      orders: core.orders.map((order) =>
        order === null || order.hasCart ? order : { ...order, age: "old" }
      ),
    },
    left: isPause ? { ...left, pauses: left.pauses - 1 } : left,
  }
  moves.push({
    says: isPause ? "the settles are held up for minutes, and their leases end" : "minutes pass",
    to,
    ...(isPause ? { isOutside: true } : { isTime: true }),
  })
}

/** Months pass, once nothing is to be done: an unpaid link is as old as a gateway may forget it, and nobody waits for it. */
export function months(state: State, moves: Move[]): void {
  const isDone = state.rows.every(
    ({ due, lease, isFailing }) => due !== "now" && lease === null && !isFailing
  )
  const becomesOld = ({ paid, isOld }: Row): boolean => paid === null && !isOld
  if (isCalm(state) && isDone && state.rows.some(becomesOld)) {
    const rows = state.rows.map((row): Row => (becomesOld(row) ? { ...row, isOld: true } : row))
    moves.push({ says: "months pass", to: { ...state, rows }, isTime: true })
  }
}
