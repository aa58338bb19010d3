import { CHEAP, DEAR, NEW_ROW, type Left, type Link, type Row, type Session, type State } from "./state"

/** Where an exploration begins, and how often each outsider may act in it. */
export interface Scenario {
  says: string
  start: State
}

const NOTHING_LEFT: Left = {
  payments: 0,
  opens: 0,
  edits: 0,
  completions: 0,
  crashes: 0,
  losses: 0,
  refusals: 0,
  cancels: 0,
  refunds: 0,
  failingHooks: 0,
  lostLocks: 0,
  moves: 0,
  pauses: 0,
}

const link = (note: number): Link => ({ status: "UNPAID", note, amount: CHEAP, isNotifying: false })
const session = (change: Partial<Session> = {}): Session => ({
  amount: CHEAP,
  isLive: true,
  link: 0,
  capture: null,
  isRefunded: false,
  ...change,
})
const openRow = (change: Partial<Row> = {}): Row => ({
  ...NEW_ROW,
  link: 0,
  session: 0,
  sessions: 1,
  state: "open",
  due: "later",
  ...change,
})

/** The payer has the payment step open, with one link. */
export const oneLink = (left: Partial<Left>): State => ({
  gateway: { links: [link(0)], isMoved: false },
  rows: [openRow()],
  core: {
    cartTotal: CHEAP,
    collectionAmount: CHEAP,
    collectionSum: 0,
    lock: null,
    sessions: [session()],
    orders: [],
  },
  settles: [null, null],
  shop: null,
  left: { ...NOTHING_LEFT, ...left },
  broken: null,
})

/**
 * Two links of one amount were given out for one cart: the gateway had refused to read the first one when the payment step
 * was opened again. Then the cart was changed, so no session is left.
 */
const twoLinks = (left: Partial<Left>): State => {
  const state = oneLink(left)
  return {
    ...state,
    gateway: { links: [link(0), link(1)], isMoved: false },
    rows: [openRow({ state: "closed" }), openRow({ link: 1, session: 1, sessions: 2, state: "superseded" })],
    core: {
      ...state.core,
      cartTotal: DEAR,
      collectionAmount: DEAR,
      sessions: [session({ isLive: false }), session({ isLive: false, link: 1 })],
    },
  }
}

/** The same after both links were paid: neither has a session, and each is a case. */
export const twoOrphans = (left: Partial<Left>): State => {
  const state = twoLinks(left)
  const orphan = {
    state: "paid",
    status: "PAID",
    paid: "old",
    reason: "orphan_paid",
    caseNews: "sent",
    due: "never",
  } as const
  return {
    ...state,
    gateway: { ...state.gateway, links: state.gateway.links.map((one) => ({ ...one, status: "PAID" })) },
    rows: state.rows.map((row) => ({ ...row, ...orphan })),
  }
}

export const SCENARIOS: Record<string, Scenario> = {
  checkout: {
    says: "a link is paid, settles and the storefront complete the cart, servers are killed and news are lost",
    start: oneLink({ payments: 1, completions: 1, crashes: 2, losses: 2 }),
  },
  "held-up": {
    says: "the same, with settles that are held up until their leases have ended",
    start: oneLink({ payments: 1, completions: 1, crashes: 1, losses: 1, pauses: 1 }),
  },
  "cart-change": {
    says: "the cart is changed and changed back, and the payment step is opened again, while the link is paid",
    start: oneLink({ payments: 1, opens: 1, edits: 2 }),
  },
  "two-links": {
    says: "two links of a cart that has changed are paid, while servers are killed",
    start: twoLinks({ payments: 2, crashes: 1 }),
  },
  "two-paid-links": {
    says: "both were paid, and the cart goes back to its old total and is paid with that money",
    start: twoOrphans({ opens: 2, edits: 2, completions: 1, crashes: 1, losses: 1 }),
  },
  merchant: {
    says: "the merchant cancels the order by a script and registers a refund",
    start: oneLink({
      payments: 1,
      completions: 1,
      crashes: 1,
      losses: 1,
      cancels: 1,
      refunds: 1,
    }),
  },
  "moved-gateway": {
    says: "the gateway's address changes, a link is not read in time and another one is made",
    start: oneLink({ payments: 1, opens: 1, losses: 1, moves: 1, refusals: 1 }),
  },
  "lost-locks": {
    says: "the lock server loses the cart's lock twice, and a hook of the merchant's fails",
    start: oneLink({ payments: 1, completions: 1, crashes: 1, lostLocks: 2, pauses: 1, failingHooks: 1 }),
  },
}
