import { check, checkAndDecide, findOwn, requestCheck } from "./ledger"
import { transition } from "./product"
import { has } from "./rules"
import { itemAt, withRow, withSession, type State } from "./state"

/** The provider's `deletePayment`, first half: its read. @returns whether the session may be deleted */
export function askToDelete(state: State, session: number): { state: State; isVetoed: boolean } {
  const place = findOwn(state, session)
  const row = state.rows[place]
  if (
    row === undefined ||
    row.state === "refunded" ||
    (row.session !== session && row.paidSession !== session)
  ) {
    return { state, isVetoed: false }
  }
  const checked = check(state, place)
  const now = itemAt(checked.rows, place)
  if (now.paid === null || !has("withdraw.veto")) {
    return { state: checked, isVetoed: false }
  }
  if (now.session !== session && now.paidSession !== session) {
    return { state: checked, isVetoed: false }
  }
  const decided = checkAndDecide(checked, place)
  if (decided.kind === "attention" && itemAt(decided.state.rows, place).reason === "duplicate_payment") {
    return { state: decided.state, isVetoed: false }
  }
  return { state: row.paid === null ? requestCheck(decided.state, place) : decided.state, isVetoed: true }
}

/** The provider's `deletePayment`, second half, and core's deletion of the session. */
export function dropSession(state: State, session: number): State {
  const place = findOwn(state, session)
  const row = state.rows[place]
  const withdrawn = row?.session === session ? transition(row, "link_withdrawn") : undefined
  const after = withdrawn === undefined ? state : withRow(state, place, withdrawn)
  return withSession(after, session, { isLive: false })
}
