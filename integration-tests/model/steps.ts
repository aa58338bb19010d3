import type { Move } from "./moves"
import { outsideMoves } from "./outside"
import { deliveries, minutes, months, nights, sweeps } from "./schedule"
import { beginSettles, settleMoves } from "./settling"
import { beginShopping, shopMoves } from "./shop"
import type { State } from "./state"

/**
 * The steps that happen by themselves, in the order in which a store that nobody disturbs takes them: what has begun goes on,
 * news arrive, the schedule runs, time passes. A few of them are marked as somebody else's choice.
 */
export function ownMoves(state: State): Move[] {
  const moves: Move[] = []
  settleMoves(state, 0, moves)
  settleMoves(state, 1, moves)
  shopMoves(state, moves)
  deliveries(state, moves)
  beginSettles(state, moves)
  sweeps(state, moves)
  nights(state, moves)
  minutes(state, moves)
  months(state, moves)
  return moves
}

/** The steps that only happen when somebody chooses to, or when something goes wrong. */
export function choices(state: State): Move[] {
  const moves: Move[] = []
  beginShopping(state, moves)
  outsideMoves(state, moves)
  return moves
}
