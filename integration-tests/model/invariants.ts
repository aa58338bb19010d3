import { bookingsOf, placedOrder, sumOfCollection, type Row, type State } from "./state"

/**
 * The invariants of DESIGN.md, section 1, over a state of the model. I9 is about text, of which the model has none.
 *
 * Some hold in every state. The others say what must have become of a payment in the end: they are checked in each state
 * at rest, in which nothing happens by itself any more. From every state the model comes to such a rest.
 */

/** What must never be, not even for a moment. @returns a sentence that begins with the invariant's name, or null */
export function alwaysBroken(state: State): string | null {
  return state.broken ?? paidTwice(state) ?? capturedForNothing(state) ?? recordedTwice(state)
}

/** What must not be left when all has come to rest. */
export function brokenAtRest(state: State): string | null {
  return unexplained(state) ?? wrongOrder(state) ?? wrongSums(state) ?? untold(state)
}

/** I1: a session is paid by one request. That a request pays one session is checked when it claims one. */
function paidTwice({ rows }: State): string | null {
  for (const [place, { paidSession }] of rows.entries()) {
    if (paidSession !== -1 && rows.some((row, index) => index > place && row.paidSession === paidSession)) {
      return `I1: session ${paidSession + 1} is paid by two requests`
    }
  }
  return null
}

/** I3: a capture belongs to a request that the gateway calls PAID, of the same amount. */
function capturedForNothing({ core, rows, gateway }: State): string | null {
  for (const [session, { capture, amount }] of core.sessions.entries()) {
    if (capture !== null) {
      const row = rows.find(({ paidSession }) => paidSession === session)
      const link = row && gateway.links[row.link]
      if (link?.status !== "PAID" || link.amount !== amount) {
        return `I3: session ${session + 1} is captured, and nobody has paid ${amount} for it`
      }
    }
  }
  return null
}

/** I7: a gateway payment has one row. */
function recordedTwice({ rows }: State): string | null {
  for (const [place, { link }] of rows.entries()) {
    if (link !== -1 && rows.some((row, index) => index > place && row.link === link)) {
      return `I7: link ${link + 1} has two rows`
    }
  }
  return null
}

/** I2: what the gateway calls PAID is recorded, and captured, refunded or a case. */
function unexplained(state: State): string | null {
  for (const [link, { status }] of state.gateway.links.entries()) {
    if (status === "PAID") {
      const row = state.rows.find((one) => one.link === link && one.paid !== null)
      if (row === undefined) {
        return `I2: link ${link + 1} is PAID, and the ledger does not know`
      }
      if (!isCaptured(state, row) && row.state !== "refunded" && row.reason === null) {
        return `I2: link ${link + 1} is PAID, and neither captured nor refunded, and has no case`
      }
    }
  }
  return null
}

const isCaptured = ({ core }: State, { paidSession }: Row): boolean =>
  core.sessions[paidSession]?.capture != null

/** I4: a captured payment has its order, which has the capture, or a case; and no other order is left of the cart. */
function wrongOrder(state: State): string | null {
  const { orders } = state.core
  const order = orders[placedOrder(state)] ?? null
  for (const row of state.rows) {
    if (!isCaptured(state, row) || row.state === "refunded" || row.reason !== null) {
      continue
    }
    if (order === null) {
      return `I4: link ${row.link + 1} is captured, has no order and no case`
    }
    if (order.isCanceled) {
      return `I4: the order of link ${row.link + 1} is cancelled, and nobody was told`
    }
    if (bookingsOf(order, row.paidSession) !== 1 || !order.hasCollection) {
      return `I4: the order of link ${row.link + 1} does not have exactly its capture`
    }
    const ghost = orders.findIndex((other) => other !== null && other !== order && !other.isCanceled)
    if (ghost !== -1) {
      return `I4: order ${ghost + 1} was begun for the cart of link ${row.link + 1}, and is left next to its order`
    }
  }
  return null
}

/** I5: sums agree. Those of a cancelled order are corrected when its refund is registered. */
function wrongSums(state: State): string | null {
  const { core } = state
  if (core.orders[placedOrder(state)]?.isCanceled === true) {
    return null
  }
  if (core.collectionSum !== sumOfCollection(state)) {
    return `I5: the collection says ${core.collectionSum}, its captures and refunds make ${sumOfCollection(state)}`
  }
  const row = state.rows.find(({ refund, paidSession }) => {
    const session = core.sessions[paidSession]
    return refund === "applied" && session?.capture != null && !session.isRefunded
  })
  return row === undefined ? null : `I5: the refund of link ${row.link + 1} is not in core's books`
}

/** I6: what others must hear was sent. */
function untold(state: State): string | null {
  const order = state.core.orders[placedOrder(state)] ?? null
  for (const row of state.rows) {
    const name = `link ${row.link + 1}`
    if (row.state === "captured" && row.isSettled && row.settledNews !== "sent") {
      return `I6: ${name} is settled, and crypto_payment.settled was not sent`
    }
    if (row.reason !== null && row.caseNews !== "sent") {
      return `I6: ${name} has a case, and crypto_payment.attention_required was not sent`
    }
    if (
      row.state === "captured" &&
      order !== null &&
      !order.isCanceled &&
      row.isSettled &&
      order.placed !== "heard"
    ) {
      return `I6: the order of ${name} is placed, and order.placed was not heard`
    }
  }
  return null
}
