import type { HoldPoint } from "./store-process"

/** So many points, numbered from 1, each on both of its sides. */
export const onBothSides = (count: number): HoldPoint[] =>
  Array.from({ length: count }, (_, index): HoldPoint[] => [
    { number: index + 1, side: "before" },
    { number: index + 1, side: "after" },
  ]).flat()

/** In portions of at most `size`. */
export const portions = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size)
  )
