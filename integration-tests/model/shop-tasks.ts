import type { ShopTask, State } from "./state"

/** What the steps of a request of the payer or the merchant have in common. */

export const goTo = (state: State, shop: ShopTask, change: Partial<ShopTask>): State => ({
  ...state,
  shop: { ...shop, ...change },
})
export const end = (state: State): State => ({ ...state, shop: null })

/** One bit for each session that is live. */
export const liveSessions = ({ core }: State): number =>
  core.sessions.reduce((bits, { isLive }, index) => bits | (isLive ? 1 << index : 0), 0)

/** The places of the bits that are set. */
export const places = (bits: number): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((place) => (bits & (1 << place)) !== 0)
