import type { Move } from "./moves"
import { has } from "./rules"
import {
  SHOP,
  spend,
  withCore,
  withLink,
  withOrder,
  withRow,
  withSettle,
  type Row,
  type State,
  type Who,
} from "./state"

/** What others do or what goes wrong, each as often as the scenario allows: the payer, the merchant, the power, the bus. */
export function outsideMoves(state: State, moves: Move[]): void {
  const push = (says: string, to: State): void => {
    moves.push({ says, to, isOutside: true })
  }
  payments(state, push)
  losses(state, push)
  if (state.left.crashes > 0) {
    crashes(state, push)
  }
  if (state.left.cancels > 0) {
    cancels(state, push)
  }
  if (state.left.moves > 0) {
    const rows = state.rows.map((row): Row => ({ ...row, isAtOldAddress: true }))
    const gateway = { ...state.gateway, isMoved: true }
    push("the gateway moves to another address", { ...spend(state, "moves"), gateway, rows })
  }
  if (state.left.lostLocks > 0 && state.core.lock !== null) {
    push("the lock server loses the cart's lock", withCore(spend(state, "lostLocks"), { lock: null }))
  }
}

type Push = (says: string, to: State) => void

/** A link that was given out can be paid for ever, whatever became of its cart. */
function payments(state: State, push: Push): void {
  for (const [link, { status }] of state.gateway.links.entries()) {
    const isGivenOut = state.rows.some((row) => row.link === link)
    if (status === "UNPAID" && isGivenOut && state.left.payments > 0) {
      push(`the payer pays link ${link + 1}`, withLink(spend(state, "payments"), link, { status: "PENDING" }))
    }
    if (status === "PENDING") {
      push(
        `the gateway calls link ${link + 1} PAID`,
        withLink(state, link, { status: "PAID", isNotifying: true })
      )
    }
  }
}

function losses(state: State, push: Push): void {
  if (state.left.losses === 0) {
    return
  }
  for (const [link, { isNotifying }] of state.gateway.links.entries()) {
    if (isNotifying) {
      push(
        `the notification of link ${link + 1} is lost`,
        withLink(spend(state, "losses"), link, { isNotifying: false })
      )
    }
  }
  for (const [place, order] of state.core.orders.entries()) {
    if (order?.placed === "sent") {
      push(
        `order.placed of order ${place + 1} is lost`,
        withOrder(spend(state, "losses"), place, { placed: "unsent" })
      )
    }
    if (order?.isCancelNews === true) {
      push(
        `order.canceled of order ${place + 1} is lost`,
        withOrder(spend(state, "losses"), place, { isCancelNews: false })
      )
    }
  }
}

/** A server dies. Its leases and its lock end by themselves, minutes later. */
function crashes(state: State, push: Push): void {
  const died = (who: Who): State => {
    const after = spend(state, "crashes")
    const rows = after.rows.map((row): Row => (row.lease === who ? { ...row, lease: "dead" } : row))
    return {
      ...after,
      rows,
      core: { ...after.core, lock: after.core.lock === who ? "dead" : after.core.lock },
    }
  }
  for (const who of [0, 1] as const) {
    const settling = state.settles[who]
    if (settling !== null) {
      const isUnsent = settling.at === "announce" && !has("outbox")
      const after = withSettle(died(who), who, null)
      push(
        `the server of settle {${who}} is killed`,
        isUnsent ? withRow(after, settling.row, { settledNews: "none", caseNews: "none" }) : after
      )
    }
  }
  if (state.shop !== null) {
    push("the server of the payer's request is killed", { ...died(SHOP), shop: null })
  }
}

/** A script that calls core's `cancelOrderWorkflow` passes our guard. The process may end before the event is heard. */
function cancels(state: State, push: Push): void {
  for (const [place, order] of state.core.orders.entries()) {
    if (order?.hasCart === true && !order.isCanceled && state.core.lock === null) {
      push(
        `the merchant's script cancels order ${place + 1}`,
        withOrder(spend(state, "cancels"), place, { isCanceled: true, isCancelNews: true })
      )
    }
  }
}
