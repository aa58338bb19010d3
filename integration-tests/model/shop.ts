import type { Move } from "./moves"
import { changeCart } from "./shop-cart-change"
import { complete } from "./shop-completion"
import { openPaymentStep } from "./shop-opening"
import { registerRefund } from "./shop-refund"
import { CHEAP, DEAR, NONE, placedOrder, spend, type ShopTask, type State } from "./state"

/**
 * What the payer's and the merchant's browsers have a server do, one request at a time: the payment step is opened, the
 * cart is changed, the cart is completed, a refund is registered. The server may die between any two of its writes.
 */

const IDLE: ShopTask = { doing: "open", at: "", core: null, session: NONE, row: NONE, olds: 0, total: 0 }

/** Requests that may begin now. */
export function beginShopping(state: State, moves: Move[]): void {
  if (state.shop !== null) {
    return
  }
  const begin = (says: string, to: State, task: Partial<ShopTask>): void => {
    moves.push({ says, to: { ...to, shop: { ...IDLE, ...task } }, isOutside: true })
  }
  const { left, core } = state
  const isOpen = placedOrder(state) === NONE
  if (left.opens > 0 && core.sessions.length < 4) {
    begin("the payer opens the payment step", spend(state, "opens"), { doing: "open", at: "guard" })
  }
  if (left.edits > 0 && isOpen) {
    const total = core.cartTotal === CHEAP ? DEAR : CHEAP
    begin(`the payer changes the cart to ${total}`, spend(state, "edits"), {
      doing: "edit",
      at: "lock",
      total,
    })
  }
  if (left.completions > 0 && isOpen) {
    begin("the storefront completes the cart", spend(state, "completions"), {
      doing: "complete",
      at: "lease",
    })
  }
  if (left.refunds > 0) {
    for (const [place, row] of state.rows.entries()) {
      if (row.paid !== null && row.refund === "none") {
        begin(`the merchant registers a refund of link ${row.link + 1}`, spend(state, "refunds"), {
          doing: "refund",
          at: "register",
          row: place,
        })
      }
    }
  }
}

export function shopMoves(state: State, moves: Move[]): void {
  const { shop } = state
  if (shop === null) {
    return
  }
  switch (shop.doing) {
    case "open":
      openPaymentStep(state, shop, moves)
      return
    case "edit":
      changeCart(state, shop, moves)
      return
    case "complete":
      complete(state, shop, moves)
      return
    case "refund":
      registerRefund(state, shop, moves)
  }
}
