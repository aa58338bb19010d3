import { z } from "zod"

const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/
// Limited, so that no code has to process a megabyte of digits.
const PLAIN_DECIMAL = /^-?\d{1,40}(\.\d{1,40})?$/

export const plainDecimal = z.string().regex(PLAIN_DECIMAL)

/** Accepts an exponent: some languages print 20 as 2E+1. Refuses a JSON number: it may have lost digits. */
export const exactDecimal = z
  .string()
  .transform(toPlainDecimal)
  .pipe(z.string({ error: "no decimal" }))

/**
 * Writes a decimal without an exponent (`1E-8` is `0.00000001`), never rounded.
 *
 * @returns undefined for anything else, and when the plain form has more than 40 digits before or after the point
 */
export function toPlainDecimal(text: string): string | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) {
    return undefined
  }
  const [, sign = "", whole = "", fraction = "", exponent] = match
  if (exponent === undefined) {
    return text
  }
  const plain = sign + movePoint(whole + fraction, whole.length + Number(exponent))
  return PLAIN_DECIMAL.test(plain) ? plain : undefined
}

/** The decimal if it is above zero. Null for zero, for a text that is no decimal, and without a text. */
export function aboveZero(text: string | null): string | null {
  const plain = toPlainDecimal(text ?? "") ?? ""
  return /^[\d.]*[1-9]/.test(plain) ? plain : null
}

/** @param point how many of the digits are before the decimal point; may be negative or larger than their number */
function movePoint(digits: string, point: number): string {
  const padded = "0".repeat(Math.max(0, -point)) + digits + "0".repeat(Math.max(0, point - digits.length))
  const whole = padded.slice(0, Math.max(0, point)).replace(/^0+(?=\d)/, "")
  const fraction = padded.slice(Math.max(0, point))
  return fraction === "" ? whole : `${whole || "0"}.${fraction}`
}
