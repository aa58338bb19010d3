import { isFree } from "./ledger"
import { transition } from "./product"
import { end, goTo } from "./shop-tasks"
import type { Move } from "./moves"
import {
  book,
  bookingsOf,
  itemAt,
  NONE,
  placedOrder,
  SHOP,
  sumOfCollection,
  withCore,
  withOrder,
  withRow,
  withSession,
  type ShopTask,
  type State,
} from "./state"

/** `applyRefundStep`, under the row's lease and the cart's lock: the whole amount. */
export function registerRefund(state: State, shop: ShopTask, moves: Move[]): void {
  const row = itemAt(state.rows, shop.row)
  if (shop.at === "register") {
    const isBeingCaptured = row.paidSession !== NONE && state.core.sessions[row.paidSession]?.capture === null
    if (!isFree(row) || state.core.lock !== null || isBeingCaptured || row.paid === null) {
      moves.push({ says: "the refund is refused: the payment is being settled", to: end(state) })
      return
    }
    const registered = withRow(state, shop.row, { refund: "registered", lease: SHOP })
    moves.push({
      says: "the refund is registered",
      to: goTo(withCore(registered, { lock: SHOP }), shop, { at: "apply" }),
    })
    return
  }
  if (shop.at === "apply") {
    moves.push({
      says: "core books the refund",
      to: goTo(bookRefund(state, shop.row), shop, { at: "sums" }),
    })
    return
  }
  const ended = endRefund(state, shop.row)
  moves.push({
    says: "the refund's registration ends",
    to: end(withCore(withRow(ended, shop.row, { lease: null }), { lock: null })),
  })
}

/** `applyRegistered`: books what core was interrupted over, and then the refund. */
export function bookRefund(state: State, place: number): State {
  const { paidSession } = itemAt(state.rows, place)
  if (paidSession === NONE || state.core.sessions[paidSession]?.capture == null) {
    return state
  }
  const begun = state.core.orders.findIndex((order) => order?.hasCollection === true)
  const isToBeLinked = placedOrder(state) === NONE && begun !== NONE
  const linked = isToBeLinked ? withOrder(state, begun, { hasCart: true }) : state
  const order = placedOrder(linked)
  const booked = order === NONE ? linked : bookOnce(linked, order, paidSession)
  return withSession(booked, paidSession, { isRefunded: true })
}

function bookOnce(state: State, order: number, session: number): State {
  const linked = withOrder(state, order, { hasCollection: true })
  return bookingsOf(linked.core.orders[order] ?? null, session) === 0 ? book(linked, order, session) : linked
}

/** `recomputeCollectionSums` and `markApplied` */
export function endRefund(state: State, place: number): State {
  const refunded = transition(itemAt(state.rows, place), "refunded", {
    refund: "applied",
    reason: null,
    caseNews: "none",
    isSettled: true,
    due: "never",
  })
  const summed = withCore(state, { collectionSum: sumOfCollection(state) })
  return refunded === undefined ? summed : withRow(summed, place, refunded)
}
