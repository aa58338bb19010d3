import { clearUnlinkedOrders, coreSteps, WORK } from "./core"
import { isFree } from "./ledger"
import { has } from "./rules"
import { end, goTo } from "./shop-tasks"
import type { Move } from "./moves"
import { isFinal, NONE, placedOrder, SHOP, type Row, type ShopTask, type State } from "./state"

/** The guard of completion, then core's `complete-cart`, then the rows are given back. */
export function complete(state: State, shop: ShopTask, moves: Move[]): void {
  switch (shop.at) {
    case "lease":
      moves.push(...leaseForCompletion(state, shop))
      return
    case "guard": {
      const isRefunded = state.rows.some(
        (row) => row.refund !== "none" && state.core.sessions[row.paidSession]?.capture != null
      )
      const clearance = isRefunded ? undefined : clearUnlinkedOrders(state, SHOP, false)
      if (isRefunded || clearance?.kind === "in_use") {
        moves.push({ says: "the completion is refused", to: goTo(state, shop, { at: "release" }) })
      } else if (clearance !== undefined) {
        moves.push({
          says: "the storefront's completion passes the guard",
          to: goTo(clearance.state, shop, { at: "core", core: WORK }),
        })
      }
      return
    }
    case "core":
      for (const { says, state: after, next, isOutside = false } of coreSteps(
        state,
        SHOP,
        shop.core ?? WORK
      )) {
        const isOver = next === "done" || next === "stuck"
        const change = isOver ? { at: "release", core: null } : { core: next }
        moves.push({ says: `the storefront's completion: ${says}`, to: goTo(after, shop, change), isOutside })
      }
      return
    case "release": {
      const isPlaced = placedOrder(state) !== NONE
      const rows = state.rows.map((row): Row => {
        if (row.lease !== SHOP) {
          return row
        }
        const isDue = row.paid !== null && !isFinal(row) && isPlaced
        return { ...row, lease: null, due: isDue ? "now" : row.due }
      })
      moves.push({ says: "the storefront is answered", to: end({ ...state, rows }) })
    }
  }
}

/** `CompletionLeases.take`: all rows that a settle might complete the cart for, or none: then the completion is refused. */
function leaseForCompletion(state: State, shop: ShopTask): Move[] {
  const wanted = state.rows.map((row) => !isFinal(row) && (row.state === "open" || row.paid !== null))
  const isBusy = state.rows.some((row, place) => wanted[place] === true && !isFree(row))
  if (isBusy && has("completion-lease")) {
    return [{ says: "the completion waits for a settle, and is refused", to: end(state) }]
  }
  const rows = state.rows.map((row, place): Row => (wanted[place] === true ? { ...row, lease: SHOP } : row))
  return has("completion-lease")
    ? [{ says: "the completion holds the rows", to: goTo({ ...state, rows }, shop, { at: "guard" }) }]
    : [{ says: "the completion begins", to: goTo(state, shop, { at: "guard" }) }]
}
