import { whileLocked } from "./core"
import { askToDelete, dropSession } from "./provider"
import { end, goTo, liveSessions, places } from "./shop-tasks"
import type { Move } from "./moves"
import { SHOP, withCore, type ShopTask, type State } from "./state"

/** Core's `refresh-payment-collection`: all sessions of a cart whose total has changed are deleted. */
export function changeCart(state: State, shop: ShopTask, moves: Move[]): void {
  if (shop.at === "lock") {
    const turn = whileLocked(state, SHOP)
    if (turn === "stuck") {
      moves.push({ says: "the cart is in use and cannot be changed", to: end(state) })
    } else if (turn === "free") {
      moves.push({
        says: "core begins to change the cart",
        to: goTo(withCore(state, { lock: SHOP }), shop, { at: "ask" }),
      })
    }
    return
  }
  if (shop.at === "ask") {
    let after = state
    let olds = 0
    for (const session of places(liveSessions(state))) {
      const asked = askToDelete(after, session)
      after = asked.state
      olds |= asked.isVetoed ? 0 : 1 << session
    }
    moves.push({
      says: "core asks the provider to delete the cart's sessions",
      to: goTo(after, shop, { at: "write", olds }),
    })
    return
  }
  let after = state
  for (const session of places(shop.olds)) {
    after = dropSession(after, session)
  }
  const isVetoed = liveSessions(after) !== 0
  const cartTotal = isVetoed ? state.core.cartTotal : shop.total
  // What was vetoed leaves the collection with the new total, and core does not take that back.
  const written = withCore(after, { cartTotal, collectionAmount: shop.total, lock: null })
  moves.push({
    says: isVetoed ? "the change is refused: the link is paid" : "the cart is changed",
    to: end(written),
  })
}
