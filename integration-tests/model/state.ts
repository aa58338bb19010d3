import type { AttentionReason, SettleStep } from "../../src/decision"
import type { RequestState } from "../../src/http-contract"
import type { ModelFacts, ModelRow } from "./product"

/**
 * One state of the world that is explored: one cart, its payment links at the gateway, the ledger's rows, core's rows, two
 * settles and one request of the payer or the merchant. Nothing in a state is ever changed: a step makes a new state.
 *
 * Links, sessions, orders and rows are known by their place in their list. There is no clock. What depends on time is
 * whether something is so new that somebody may be at it (`new`), or minutes old (`old`).
 */
export interface State {
  gateway: Gateway
  rows: readonly Row[]
  core: Core
  settles: readonly [Settling | null, Settling | null]
  shop: ShopTask | null
  left: Left
  /** A promise that this very step has broken, such as a late write. Null in every state that is as it should be. */
  broken: string | null
}

/** Settles A and B, and the server that serves the payer and the merchant. */
export type Who = 0 | 1 | 2
export const SHOP = 2
/** Who holds a row's lease or the cart's lock. `dead` did, and it ends by itself after two minutes. */
export type Holder = Who | "dead" | null
type Age = "new" | "old"
export const NONE = -1

export interface Gateway {
  links: readonly Link[]
  /** It answers at another address now than the one the rows were created with. */
  isMoved: boolean
}

export interface Link {
  status: "UNPAID" | "PENDING" | "PAID"
  /** The session it was created for, which is its note. */
  note: number
  amount: number
  /** A notification of PAID is on its way. */
  isNotifying: boolean
}

/** A row of `crypto_payment_request`, as far as anything follows from it. */
export interface Row {
  /** `payment_request_id`; none while the answer to the creation is not known. */
  link: number
  /** `session_id`; none for `stray:…`. */
  session: number
  /** `session_ids`, one bit each. */
  sessions: number
  amount: number
  state: RequestState
  /** `gateway_status` */
  status: Link["status"]
  /** The last read was refused. */
  isFailing: boolean
  paid: Age | null
  paidSession: number
  isSettled: boolean
  refund: "none" | "registered" | "applied"
  reason: AttentionReason | null
  /** `next_check_at` */
  due: "now" | "later" | "never"
  /** `check_requested_at`, since the lease was taken. */
  isAsked: boolean
  /** `next_check_at` was changed while a settle held the row. */
  isHurried: boolean
  lease: Holder
  /** The announcement of the outcome: `written` waits in the outbox. */
  settledNews: "none" | "written" | "sent"
  caseNews: "none" | "written" | "sent"
  /** Unpaid, and created more than a week ago. */
  isOld: boolean
  /** `gateway_origin` is the address the gateway has left. */
  isAtOldAddress: boolean
}

export interface Core {
  cartTotal: number
  collectionAmount: number
  /** `captured_amount` minus `refunded_amount` of the payment collection. */
  collectionSum: number
  lock: Holder
  sessions: readonly Session[]
  /** Null where core has removed an order again. */
  orders: readonly (Order | null)[]
}

/** A payment session with its payment. */
export interface Session {
  amount: number
  isLive: boolean
  /** The link named in its data; none until the provider has answered. */
  link: number
  capture: Age | null
  isRefunded: boolean
}

export interface Order {
  total: number
  hasCart: boolean
  hasCollection: boolean
  /** Bookings of captures in its transactions: two bits for each session's. */
  bookings: number
  isCanceled: boolean
  /** `order.placed`: `sent` is on its way to the subscribers. */
  placed: "unsent" | "sent" | "heard"
  /** `order.canceled` is on its way. */
  isCancelNews: boolean
  age: Age
}

export type Step = SettleStep<ModelRow, ModelFacts>

export interface Settling {
  row: number
  /** Before the product's loop begins: the gateway is read, and then the reading is recorded. */
  at: "read" | "record" | "loop" | "announce"
  reading: Link["status"] | "refused" | null
  /** Where the product's own loop is. */
  step: Step | null
  /** Where core is, while the loop waits for an act. */
  core: Work | null
}

/** Where core is, or an act of ours that takes several writes. */
export interface Work<Place = CorePlace | ActPlace> {
  at: Place
  session: number
  order: number
}

/** Where core's workflows are. */
export type CorePlace =
  | "process: lock"
  | "process: authorize"
  | "process: claim"
  | "process: capture"
  | "process: look"
  | "process: book"
  | "process: unlock"
  | "complete: lock"
  | "complete: order"
  | "complete: links"
  | "complete: authorize"
  | "complete: claim"
  | "complete: capture"
  | "complete: look"
  | "complete: book"
  | "complete: hooks"
  | "complete: unlock"

/** What core, or an act of ours, works at. */
export type CoreWork = Work<CorePlace>

/** Where an act of ours is that is not core's, or not yet. */
export type ActPlace = "adopt" | "repair" | "rivals" | "book" | "unbook" | "verify"

/** A request of the payer or the merchant: the payment step, a change of the cart, its completion, a refund. */
export interface ShopTask {
  doing: "open" | "edit" | "complete" | "refund"
  /** Its next step, as the file that takes it names it: `shop-….ts`. */
  at: string
  core: CoreWork | null
  /** The session that is being made; none until it is. */
  session: number
  /** The row of a new link, or the one that is refunded. */
  row: number
  /** Sessions to be deleted, one bit each. */
  olds: number
  /** The total that the cart is changed to. */
  total: number
}

/** How often each outsider may still act: what bounds the exploration. */
export interface Left {
  /** Links that the payer may still pay. */
  payments: number
  opens: number
  edits: number
  completions: number
  crashes: number
  losses: number
  refusals: number
  cancels: number
  refunds: number
  failingHooks: number
  lostLocks: number
  moves: number
  pauses: number
}

export const CHEAP = 10
export const DEAR = 20

export const NEW_ROW: Row = {
  link: NONE,
  session: NONE,
  sessions: 0,
  amount: CHEAP,
  state: "creating",
  status: "UNPAID",
  isFailing: false,
  paid: null,
  paidSession: NONE,
  isSettled: false,
  refund: "none",
  reason: null,
  due: "never",
  isAsked: false,
  isHurried: false,
  lease: null,
  settledNews: "none",
  caseNews: "none",
  isOld: false,
  isAtOldAddress: false,
}

const replaceAt = <T>(list: readonly T[], place: number, change: Partial<T>): T[] =>
  list.map((item, index) => (index === place ? { ...item, ...change } : item))

export const itemAt = <T>(list: readonly T[], place: number): T => {
  const item = list[place]
  if (item === undefined) {
    throw new RangeError(`the model has nothing at ${place}`)
  }
  return item
}

export const withRow = (state: State, place: number, change: Partial<Row>): State => ({
  ...state,
  rows: replaceAt(state.rows, place, change),
})

export const withCore = (state: State, change: Partial<Core>): State => ({
  ...state,
  core: { ...state.core, ...change },
})

export const withSession = (state: State, place: number, change: Partial<Session>): State =>
  withCore(state, { sessions: replaceAt(state.core.sessions, place, change) })

export const withOrder = (state: State, place: number, change: Partial<Order>): State =>
  withCore(state, {
    orders: state.core.orders.map((order, index) =>
      index === place && order !== null ? { ...order, ...change } : order
    ),
  })

export const withLink = (state: State, place: number, change: Partial<Link>): State => ({
  ...state,
  gateway: { ...state.gateway, links: replaceAt(state.gateway.links, place, change) },
})

export const withSettle = (state: State, who: 0 | 1, settling: Settling | null): State => ({
  ...state,
  settles: who === 0 ? [settling, state.settles[1]] : [state.settles[0], settling],
})

export const spend = (state: State, what: keyof Left): State => ({
  ...state,
  left: { ...state.left, [what]: state.left[what] - 1 },
})

/** The order that was placed for the cart: `ORDER_OF_CART` in request-sql.ts. */
export const placedOrder = ({ core }: Pick<State, "core">): number =>
  core.orders.findIndex((order) => order?.hasCart === true)

export const bookingsOf = (order: Order | null, session: number): number =>
  order === null || session === NONE ? 0 : (order.bookings >> (2 * session)) & 3

export const book = (state: State, place: number, session: number): State =>
  withOrder(state, place, { bookings: (state.core.orders[place]?.bookings ?? 0) + (1 << (2 * session)) })

/** `IS_FINAL` in request-sql.ts. */
export const isFinal = ({ state, isSettled }: Row): boolean => state === "refunded" || isSettled

export const sumOfCollection = ({ core }: State): number =>
  core.sessions.reduce(
    (sum, { amount, capture, isRefunded }) => sum + (capture !== null && !isRefunded ? amount : 0),
    0
  )
