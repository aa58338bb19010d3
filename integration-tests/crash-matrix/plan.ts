import type { Random } from "../support/random"
import type { HoldPoint } from "./store-process"

/** So many points, numbered from 1, each on both of its sides. */
export const onBothSides = (count: number): HoldPoint[] =>
  Array.from({ length: count }, (_, index): HoldPoint[] => [
    { number: index + 1, side: "before" },
    { number: index + 1, side: "after" },
  ]).flat()

/** How many each of the names gets when `count` are dealt out: equally many, and what is left over to those drawn. */
export function dealOut(count: number, names: string[], random: Random): Map<string, number> {
  const dealt = new Map(names.map((name) => [name, Math.floor(count / names.length)]))
  for (const name of draw(names, count % names.length, random)) {
    dealt.set(name, (dealt.get(name) ?? 0) + 1)
  }
  return dealt
}

/** So many of them, drawn, in their own order; all when there are not as many. */
export function draw<Item>(items: Item[], count: number, random: Random): Item[] {
  const left = items.map((_, index) => index)
  const drawn = Array.from({ length: Math.min(count, items.length) }, () =>
    left.splice(random.whole(0, left.length - 1), 1)
  ).flat()
  return drawn.sort((a, b) => a - b).map((index) => items[index] as Item)
}

/** One of each list in turn, until all are used up: so that neighbours are of different flows. */
export function interleave<Item>(lists: Item[][]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1))
  ).flat()
}

/** In portions of at most `size`. */
export const portions = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size)
  )
