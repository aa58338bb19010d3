type Numbers = Int32Array | Uint16Array | Uint8Array

/** A list of numbers that grows, at a few bytes each. */
export class Column {
  private numbers: Numbers
  private length = 0

  constructor(private readonly Kind: new (length: number) => Numbers) {
    this.numbers = new Kind(1 << 16)
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const longer = new this.Kind(this.length * 2)
      longer.set(this.numbers)
      this.numbers = longer
    }
    this.numbers[this.length++] = number
  }

  at(place: number): number {
    const number = this.numbers[place]
    if (number === undefined || place >= this.length) {
      throw new RangeError(`the column has no place ${place}`)
    }
    return number
  }

  set(place: number, number: number): void {
    this.numbers[place] = number
  }
}
