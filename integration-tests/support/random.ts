/** The same seed draws the same numbers: mulberry32. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<const T>(from: readonly [T, ...T[]]): T {
    return from[this.whole(0, from.length - 1)] ?? from[0]
  }

  /** The same ones in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const left = [...items]
    return items.flatMap(() => left.splice(this.whole(0, left.length - 1), 1))
  }

  /** One of the words, as often as its weight says. */
  weighted<Word extends string>(weights: Record<Word, number>): Word {
    const entries = Object.entries<number>(weights) as [Word, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    const drawn = entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0]
    if (drawn === undefined) {
      throw new Error("nothing to draw from")
    }
    return drawn[0]
  }
}
