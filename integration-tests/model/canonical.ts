import { numberOf, Pool } from "./pool"
import { internCore, internRow } from "./product"
import { keyOfSettling } from "./settling"
import type { Gateway, Holder, Left, Row, Settling, ShopTask, State } from "./state"

const gateways = new Pool<Gateway>((gateway) => JSON.stringify(gateway))
const settlings = new Pool<Settling>(keyOfSettling)
const tasks = new Pool<ShopTask>((task) => JSON.stringify(task))
const lefts = new Pool<Left>((left) => Object.values(left).join())

/** A state all of whose parts are interned, what it is known by, and whether the two settles have changed their names. */
export interface Canonical {
  state: State
  key: string
  isSwapped: boolean
}

/** The settles are alike, so a state and the same one with their names exchanged are one. */
export function canonical(state: State): Canonical {
  const [a, b] = state.settles
  const settles = [a && settlings.intern(a), b && settlings.intern(b)] as const
  const isSwapped =
    order(settles[0]) < order(settles[1]) || (settles[0] === settles[1] && firstHolder(state) === 1)
  const named: State = isSwapped
    ? {
        ...state,
        settles: [settles[1], settles[0]],
        rows: state.rows.map((row): Row => {
          const lease = swapped(row.lease)
          return lease === row.lease ? row : { ...row, lease }
        }),
        core:
          swapped(state.core.lock) === state.core.lock
            ? state.core
            : { ...state.core, lock: swapped(state.core.lock) },
      }
    : { ...state, settles }
  const interned: State = {
    gateway: gateways.intern(named.gateway),
    rows: named.rows.map(internRow),
    core: internCore(named.core),
    settles: named.settles,
    shop: named.shop && tasks.intern(named.shop),
    left: lefts.intern(named.left),
    broken: named.broken,
  }
  return { state: interned, key: keyOf(interned), isSwapped }
}

const order = (part: object | null): number => (part === null ? -1 : numberOf(part))

/** Two settles that are at the same place differ in which of them holds something. */
const firstHolder = ({ rows, core }: State): Holder | undefined =>
  [...rows.map(({ lease }) => lease), core.lock].find((holder) => holder === 0 || holder === 1)

const swapped = (holder: Holder): Holder => (holder === 0 || holder === 1 ? ((1 - holder) as 0 | 1) : holder)

const LOW_BITS = 0xffff

function keyOf({ gateway, rows, core, settles, shop, left }: State): string {
  let key = keyOfPart(gateway) + keyOfPart(core) + keyOfPart(left) + keyOfPart(shop)
  key += keyOfPart(settles[0]) + keyOfPart(settles[1])
  for (const row of rows) {
    key += keyOfPart(row)
  }
  return key
}

function keyOfPart(part: object | null): string {
  const number = order(part) + 1
  return String.fromCharCode(number & LOW_BITS, number >> 16)
}
