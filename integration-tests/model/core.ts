import { checkAndDecide, claimSession, findBySession } from "./ledger"
import type { Move } from "./moves"
import { has } from "./rules"
import {
  book,
  bookingsOf,
  itemAt,
  NONE,
  placedOrder,
  spend,
  sumOfCollection,
  withCore,
  withOrder,
  withSession,
  type CorePlace,
  type CoreWork,
  type Order,
  type State,
  type Who,
} from "./state"

/**
 * Core's workflows, one database write or outgoing call a step: `process-payment` (a settle has core capture) and
 * `complete-cart` (a settle or the storefront has core place the order), as core 2.21.2 runs them. Whoever dies between two
 * steps leaves what was written, and the cart's lock for two minutes.
 *
 * Core's workflows end, or their process dies, within the lock's two minutes: time does not pass inside them.
 */
export interface CoreStep extends Omit<Move, "to"> {
  state: State
  /** `done`: core has ended. `stuck`: a lock was in the way, and trying again at once would not help. */
  next: CoreWork | "done" | "stuck"
}

type Place = (state: State, who: Who, work: CoreWork) => CoreStep[]

/** The steps that are possible now; none while somebody else, who lives, has the cart's lock. */
export function coreSteps(state: State, who: Who, work: CoreWork): CoreStep[] {
  return PLACES[work.at](state, who, work)
}

export const WORK: CoreWork = { at: "complete: lock", session: NONE, order: NONE }

const goTo = (work: CoreWork, at: CorePlace, change: Partial<CoreWork> = {}): CoreWork => ({
  ...work,
  ...change,
  at,
})

const name = (kind: string, place: number): string => `${kind} ${place + 1}`

/** What is done under the cart's lock, once that is free. @returns undefined while somebody who lives has it */
export function whileLocked(state: State, who: Who): "free" | "stuck" | undefined {
  const { lock } = state.core
  if (lock === null || lock === who) {
    return "free"
  }
  return lock === "dead" ? "stuck" : undefined
}

function lock(state: State, who: Who, says: string, next: (locked: State) => CoreStep[]): CoreStep[] {
  switch (whileLocked(state, who)) {
    case "free":
      return next(withCore(state, { lock: who }))
    case "stuck":
      return [
        { says: `${says}, and waits in vain: a dead process has the cart's lock`, state, next: "stuck" },
      ]
    case undefined:
      return []
  }
}

const unlock = (state: State, who: Who): State =>
  state.core.lock === who ? withCore(state, { lock: null }) : state

/** The provider's `authorizePayment`. */
function authorize(
  state: State,
  work: CoreWork,
  onOk: CorePlace,
  onRefusal: (state: State) => CoreStep
): CoreStep[] {
  const row = findBySession(state, work.session)
  if (row === NONE) {
    return [onRefusal(state)]
  }
  const decided = checkAndDecide(state, row)
  const says = `core asks the provider to authorize ${name("session", work.session)}: ${decided.kind}`
  if (decided.kind !== "capture") {
    const refused = onRefusal(decided.state)
    return [{ ...refused, says: `${says}; ${refused.says}` }]
  }
  return [{ says, state: decided.state, next: goTo(work, onOk) }]
}

function claim(
  state: State,
  work: CoreWork,
  onOk: CorePlace,
  onRefusal: (state: State) => CoreStep
): CoreStep[] {
  const row = findBySession(state, work.session)
  const claimed = row === NONE ? undefined : claimSession(state, row, work.session)
  return claimed === undefined
    ? [onRefusal(state)]
    : [
        {
          says: `the provider claims ${name("session", work.session)} for link ${itemAt(claimed.rows, row).link + 1}`,
          state: claimed,
          next: goTo(work, onOk),
        },
      ]
}

/**
 * Payment, capture and the collection's sum are one transaction of core's, and a session has one payment: whoever comes
 * second is refused.
 */
function capture(
  state: State,
  work: CoreWork,
  at: CorePlace,
  onRefusal: (state: State) => CoreStep
): CoreStep[] {
  if (itemAt(state.core.sessions, work.session).capture !== null) {
    return [onRefusal(state)]
  }
  const captured = withSession(state, work.session, { capture: "new" })
  return [
    {
      says: `core writes the capture of ${name("session", work.session)}`,
      state: withCore(captured, { collectionSum: sumOfCollection(captured) }),
      next: goTo(work, at),
    },
  ]
}

/** Core looks whether the capture is booked on the order, and books it in another statement. */
function lookForBooking(state: State, order: number, session: number): boolean {
  const isCaptured = itemAt(state.core.sessions, session).capture !== null
  return isCaptured && bookingsOf(state.core.orders[order] ?? null, session) === 0
}

/** What core does when it cannot complete the cart: the order and its links go. What is captured stays captured. */
function compensate(state: State, who: Who, work: CoreWork, says: string): CoreStep {
  const orders = state.core.orders.map((order, index) => (index === work.order ? null : order))
  return {
    says: `${says}: core takes order ${work.order + 1} back`,
    state: unlock(withCore(state, { orders: trimmed(orders) }), who),
    next: "done",
  }
}

function trimmed(orders: readonly (Order | null)[]): (Order | null)[] {
  const last = orders.findLastIndex((order) => order !== null)
  return orders.slice(0, last + 1)
}

const PLACES: Record<CorePlace, Place> = {
  "process: lock": (state, who, work) =>
    lock(state, who, "core begins to process the payment", (locked) => [
      {
        says: `core begins to process the payment of ${name("session", work.session)}`,
        state: locked,
        next: goTo(work, "process: authorize"),
      },
    ]),
  "process: authorize": (state, who, work) => {
    const refused = (after: State): CoreStep => ({
      says: `core ends: ${name("session", work.session)} was not authorized`,
      state: unlock(after, who),
      next: "done",
    })
    const session = state.core.sessions[work.session]
    if (session?.isLive !== true) {
      return [refused(state)]
    }
    return session.capture === null
      ? authorize(state, work, "process: claim", refused)
      : [{ says: "core finds the capture", state, next: goTo(work, "process: look") }]
  },
  "process: claim": (state, who, work) =>
    claim(state, work, "process: capture", (after) => ({
      says: "the provider may not claim the session: core ends",
      state: unlock(after, who),
      next: "done",
    })),
  "process: capture": (state, who, work) =>
    capture(state, work, "process: look", (after) => ({
      says: "the session has a payment already: core ends",
      state: unlock(after, who),
      next: "done",
    })),
  "process: look": (state, who, work) => {
    const order = state.core.orders.findIndex((one) => one?.hasCollection === true)
    const isToBeBooked = order !== NONE && lookForBooking(state, order, work.session)
    return isToBeBooked
      ? [
          {
            says: `core finds no booking on ${name("order", order)}`,
            state,
            next: goTo(work, "process: book", { order }),
          },
        ]
      : PLACES["process: unlock"](state, who, work)
  },
  "process: book": (state, _who, work) => [
    {
      says: `core books the capture on ${name("order", work.order)}`,
      state: book(state, work.order, work.session),
      next: goTo(work, "process: unlock"),
    },
  ],
  "process: unlock": (state, who, work) => [
    {
      says: "core lets the cart go",
      state: unlock(state, who),
      next:
        placedOrder(state) === NONE ? goTo(work, "complete: lock", { session: NONE, order: NONE }) : "done",
    },
  ],

  "complete: lock": (state, who, work) =>
    lock(state, who, "core begins to complete the cart", (locked) => {
      if (placedOrder(state) !== NONE) {
        return [{ says: "core finds that the cart is an order already", state, next: "done" }]
      }
      const live = state.core.sessions.flatMap(({ isLive }, index) => (isLive ? [index] : []))
      if (live.length === 0) {
        return [{ says: "core cannot complete the cart: it has no payment session", state, next: "done" }]
      }
      return live.map((session) => ({
        says: `core begins to complete the cart with ${name("session", session)}`,
        state: locked,
        next: goTo(work, "complete: order", { session }),
      }))
    }),
  "complete: order": (state, _who, work) => {
    const free = state.core.orders.indexOf(null)
    const order = free === -1 ? state.core.orders.length : free
    const orders = [...state.core.orders]
    orders[order] = { ...NEW_ORDER, total: state.core.cartTotal }
    return [
      {
        says: `core writes ${name("order", order)}`,
        state: withCore(state, { orders }),
        next: goTo(work, "complete: links", { order }),
      },
    ]
  },
  "complete: links": (state, who, work) => {
    const order = state.core.orders[work.order]
    if (order == null) {
      return [{ says: "core finds its order gone", state: unlock(state, who), next: "done" }]
    }
    const after = (linked: State): CoreWork => {
      const { hasCart, hasCollection } = linked.core.orders[work.order] as Order
      return goTo(work, hasCart && hasCollection ? "complete: authorize" : "complete: links")
    }
    const link = (change: Partial<Order>, says: string): CoreStep => {
      const linked = withOrder(state, work.order, change)
      return { says, state: linked, next: after(linked) }
    }
    if (order.hasCart && order.hasCollection) {
      return [{ says: "core finds its order linked", state, next: after(state) }]
    }
    return [
      ...(order.hasCart
        ? []
        : [link({ hasCart: true }, `core links ${name("order", work.order)} to the cart`)]),
      ...(order.hasCollection
        ? []
        : [
            link(
              { hasCollection: true },
              `core links ${name("order", work.order)} to the payment collection`
            ),
          ]),
    ]
  },
  "complete: authorize": (state, who, work) =>
    itemAt(state.core.sessions, work.session).capture === null
      ? authorize(state, work, "complete: claim", (after) =>
          compensate(after, who, work, "it is not authorized")
        )
      : [{ says: "core finds the capture", state, next: goTo(work, "complete: look") }],
  "complete: claim": (state, who, work) =>
    claim(state, work, "complete: capture", (after) =>
      compensate(after, who, work, "the provider may not claim it")
    ),
  "complete: capture": (state, who, work) =>
    capture(state, work, "complete: look", (after) =>
      compensate(after, who, work, "the session has a payment already")
    ),
  "complete: look": (state, _who, work) => {
    const isToBeBooked = lookForBooking(state, work.order, work.session)
    const says = isToBeBooked ? "core finds no booking" : "core finds nothing to book"
    return [{ says, state, next: goTo(work, isToBeBooked ? "complete: book" : "complete: hooks") }]
  },
  "complete: book": (state, _who, work) => [
    {
      says: `core books the capture on ${name("order", work.order)}`,
      state: book(state, work.order, work.session),
      next: goTo(work, "complete: hooks"),
    },
  ],
  "complete: hooks": (state, who, work) => [
    ...PLACES["complete: unlock"](state, who, work),
    ...(state.left.failingHooks > 0
      ? [
          {
            ...compensate(spend(state, "failingHooks"), who, work, "a hook of the merchant's fails"),
            isOutside: true,
          },
        ]
      : []),
  ],
  "complete: unlock": (state, who, work) => [
    {
      says: `core lets the cart go and sends order.placed of ${name("order", work.order)}`,
      state: unlock(withOrder(state, work.order, { placed: "sent" }), who),
      next: "done",
    },
  ],
}

const NEW_ORDER: Order = {
  total: 0,
  hasCart: false,
  hasCollection: false,
  bookings: 0,
  isCanceled: false,
  placed: "unsent",
  isCancelNews: false,
  age: "new",
}

/**
 * `clearUnlinkedOrders`: takes back what a dead process began for the cart.
 *
 * @returns undefined while somebody who lives has the cart's lock; `in_use` when it cannot be known to be dead
 */
export function clearUnlinkedOrders(
  state: State,
  who: Who,
  isSurelyOver: boolean
): { state: State; kind: "clear" | "in_use" } | undefined {
  const { orders } = state.core
  const unlinked = orders.filter((order) => order !== null && !order.hasCart && !order.isCanceled)
  if (unlinked.length === 0 || !has("unlinked-orders.cleared")) {
    return { state, kind: "clear" }
  }
  const turn = whileLocked(state, who)
  if (turn !== "free") {
    return turn && { state, kind: "in_use" }
  }
  if (!isSurelyOver && unlinked.some((order) => order?.age === "new")) {
    return { state, kind: "in_use" }
  }
  const left = orders.map((order) => (order !== null && unlinked.includes(order) ? null : order))
  return { state: withCore(state, { orders: trimmed(left) }), kind: "clear" }
}
