import { askToDelete, dropSession } from "./provider"
import { bindTo, check, mayBeRebound, requestCheck } from "./ledger"
import { transition } from "./product"
import { has } from "./rules"
import { end, goTo, liveSessions, places } from "./shop-tasks"
import type { Move } from "./moves"
import {
  itemAt,
  NEW_ROW,
  NONE,
  spend,
  withCore,
  withRow,
  withSession,
  type Row,
  type ShopTask,
  type State,
} from "./state"

/**
 * The guard of session creation, then core's `create-payment-sessions`: it makes the new session while it deletes the old
 * one, in either order.
 */
export function openPaymentStep(state: State, shop: ShopTask, moves: Move[]): void {
  switch (shop.at) {
    case "guard":
      moves.push(guardOpening(state, shop))
      return
    case "work":
      if (shop.session === NONE) {
        createSession(state, shop, moves)
      }
      if (shop.olds !== 0) {
        moves.push(deleteOld(state, shop))
      }
      if (shop.session !== NONE && shop.olds === 0) {
        moves.push({ says: "the payer sees the payment step", to: end(state) })
      }
      return
    case "create": {
      const link = state.gateway.links.length
      const created = {
        status: "UNPAID",
        note: shop.session,
        amount: sessionAmount(state, shop),
        isNotifying: false,
      } as const
      moves.push({
        says: `the gateway creates link ${link + 1}`,
        to: goTo(
          { ...state, gateway: { ...state.gateway, links: [...state.gateway.links, created] } },
          shop,
          {
            at: "created",
          }
        ),
      })
      return
    }
    case "created": {
      const link = state.gateway.links.findLastIndex(({ note }) => note === shop.session)
      const row = itemAt(state.rows, shop.row)
      const answer: Partial<Row> = { link, due: "later" }
      const opened = transition(row, "link_created", answer) ?? transition(row, "link_created_late", answer)
      const withId = opened === undefined ? state : withRow(state, shop.row, opened)
      if (opened?.state === "closed") {
        moves.push({
          says: `nobody waits for link ${link + 1} any more`,
          to: end(withSession(withId, shop.session, { isLive: false })),
        })
        return
      }
      moves.push({
        says: `link ${link + 1} is given to session ${shop.session + 1}`,
        to: goTo(withSession(withId, shop.session, { link }), shop, { at: "work" }),
      })
    }
  }
}

const sessionAmount = ({ core }: State, { session }: ShopTask): number =>
  itemAt(core.sessions, session).amount

/** `refuseWhatNeedsNoPayment` */
function guardOpening(state: State, shop: ShopTask): Move {
  const { core } = state
  const linked = core.orders.find((order) => order?.hasCollection === true)
  const isCovered = core.collectionSum >= core.collectionAmount
  if (isCovered || linked?.isCanceled === true) {
    return { says: "the payment step needs no payment", to: end(state) }
  }
  const offered = state.rows.findLastIndex(
    (row) => (row.state === "open" || row.state === "paid") && core.sessions[row.session]?.isLive === true
  )
  const checked = offered === NONE ? state : check(state, offered)
  if (offered !== NONE && checked.rows[offered]?.paid !== null) {
    return { says: "the payment step says that it is paid", to: end(requestCheck(checked, offered)) }
  }
  return {
    says: "core begins to make a payment session",
    to: goTo(checked, shop, { at: "work", olds: liveSessions(checked) }),
  }
}

/** Core's new session, and the provider's `initiatePayment`: adopts money, offers a link again, or makes one. */
function createSession(state: State, shop: ShopTask, moves: Move[]): void {
  const session = state.core.sessions.length
  const amount = state.core.collectionAmount
  const made = withCore(state, {
    sessions: [
      ...state.core.sessions,
      { amount, isLive: true, link: NONE, capture: null, isRefunded: false },
    ],
  })
  const name = `session ${session + 1}`
  const adopted = adoptPaid(made, session, amount)
  if (adopted !== undefined) {
    moves.push({ says: `${name} gets the money of a deleted session`, to: goTo(adopted, shop, { session }) })
    return
  }
  const reusable = findReusable(made, amount)
  if (reusable !== NONE) {
    const link = itemAt(made.rows, reusable).link
    const checked = check(made, reusable)
    if (checked.rows[reusable]?.paid !== null) {
      const refused = withSession(requestCheck(checked, reusable), session, { isLive: false })
      moves.push({ says: `link ${link + 1} turns out to be paid: ${name} is not made`, to: end(refused) })
    } else {
      const { lease, due } = itemAt(checked.rows, reusable)
      const bound = bindTo(checked, reusable, session, "link_reused", {
        due: lease !== null || due === "now" ? "now" : "later",
        isHurried: lease !== null,
      })
      if (bound !== undefined) {
        const to = goTo(withSession(bound, session, { link }), shop, { session })
        moves.push({ says: `${name} gets link ${link + 1} again`, to })
      }
    }
  }
  const refusable = reusable !== NONE && state.left.refusals > 0
  if (reusable === NONE || refusable) {
    const givenUp = refusable ? giveUp(spend(made, "refusals"), reusable) : made
    const row: Row = { ...NEW_ROW, session, sessions: 1 << session, amount, isAtOldAddress: false }
    moves.push({
      says: refusable
        ? `the gateway refuses to read the link, so ${name} gets a new one`
        : `${name} gets a new link`,
      to: goTo({ ...givenUp, rows: [...givenUp.rows, row] }, shop, {
        session,
        at: "create",
        row: givenUp.rows.length,
      }),
      ...(refusable ? { isOutside: true } : {}),
    })
  }
}

/** `adoptPaid` */
export function adoptPaid(state: State, session: number, amount: number): State | undefined {
  const waiting = state.rows.flatMap((row, place) =>
    row.amount === amount && mayBeRebound(state, row) ? [place] : []
  )
  const chosen = has("adoptPaid.limit") ? waiting.slice(0, 1) : waiting
  let adopted: State | undefined
  for (const place of chosen) {
    const before = adopted ?? state
    const bound = bindTo(before, place, session, "money_rebound", { due: "now", isAsked: true })
    adopted =
      bound &&
      (adopted === undefined ? withSession(bound, session, { link: itemAt(bound.rows, place).link }) : bound)
  }
  return adopted
}

/** `findReusable` */
function findReusable({ rows }: State, amount: number): number {
  const ofState = (...states: Row["state"][]): number =>
    rows.findLastIndex(
      (row) => row.amount === amount && row.paid === null && row.link !== NONE && states.includes(row.state)
    )
  const open = ofState("open")
  return open === NONE ? ofState("superseded") : open
}

/** `giveUp`: unless a settle is at it. */
function giveUp(state: State, place: number): State {
  const row = itemAt(state.rows, place)
  const closed = row.lease === null && row.paid === null ? transition(row, "given_up") : undefined
  return closed === undefined ? state : withRow(state, place, closed)
}

/** When the provider refuses, core gives up the new session as well. */
function deleteOld(state: State, shop: ShopTask): Move {
  let after = state
  let isVetoed = false
  for (const old of places(shop.olds)) {
    const asked = askToDelete(after, old)
    isVetoed ||= asked.isVetoed
    after = asked.isVetoed ? asked.state : dropSession(asked.state, old)
  }
  if (!isVetoed) {
    return { says: "core deletes the old session", to: goTo(after, shop, { olds: 0 }) }
  }
  if (shop.session !== NONE) {
    const asked = askToDelete(after, shop.session)
    after = asked.isVetoed ? asked.state : dropSession(asked.state, shop.session)
  }
  return { says: "the provider keeps core from deleting the old session: it is paid", to: end(after) }
}
