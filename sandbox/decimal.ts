// The gateway's numbers are strings with 14 fractional digits. Here they are BigInts in units of 10^-14.

const DIGITS = 14
const ONE = 10n ** BigInt(DIGITS)
const PLAIN = /^\d{1,20}(?:\.\d{1,14})?$/

/** @returns units of 10^-14, or undefined when the text is not a plain, unsigned decimal */
export function parseDecimal(text: string): bigint | undefined {
  if (!PLAIN.test(text)) {
    return undefined
  }
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(DIGITS, "0"))
}

/** For constants and values that were validated before. */
export function decimal(text: string): bigint {
  const value = parseDecimal(text)
  if (value === undefined) {
    throw new Error(`not a plain decimal: ${text}`)
  }
  return value
}

export const formatDecimal = (value: bigint): string =>
  `${value / ONE}.${(value % ONE).toString().padStart(DIGITS, "0")}`

export const multiply = (a: bigint, b: bigint): bigint => (a * b + ONE / 2n) / ONE

export const divide = (a: bigint, b: bigint): bigint => (a * ONE + b / 2n) / b

/** For people: rounded half up to `most` fractional digits, trailing zeros dropped down to `least`. */
export function displayDecimal(value: bigint, least: number, most: number): string {
  const step = 10n ** BigInt(DIGITS - most)
  const [whole = "0", fraction = ""] = formatDecimal(((value + step / 2n) / step) * step).split(".")
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0")
  return kept === "" ? whole : `${whole}.${kept}`
}
