const NUMBER = Symbol("number")

interface Numbered {
  [NUMBER]?: number
}

/**
 * Keeps one object for all that are equal, and gives it a number. A state is then known by the few numbers of its parts,
 * and what was computed for a part once is found again by its number.
 */
export class Pool<T extends object> {
  private readonly byKey = new Map<string, T>()

  /** @param toKey the same for equal objects only */
  constructor(private readonly toKey: (item: T) => string) {}

  /** @returns the object to use instead, whose number `numberOf` gives */
  intern(item: T): T {
    if ((item as Numbered)[NUMBER] !== undefined) {
      return item
    }
    const key = this.toKey(item)
    const known = this.byKey.get(key)
    if (known !== undefined) {
      return known
    }
    // Not enumerable: a changed copy made by spreading has no number.
    Object.defineProperty(item, NUMBER, { value: this.byKey.size })
    this.byKey.set(key, item)
    return item
  }
}

/** @throws when the object was not interned */
export function numberOf(item: object): number {
  const number = (item as Numbered)[NUMBER]
  if (number === undefined) {
    throw new Error("an object of the model was not interned")
  }
  return number
}
