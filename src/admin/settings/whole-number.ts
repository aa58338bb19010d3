import { latinDigits } from "../shared/figures"

/**
 * The whole number that somebody typed, in Latin, Arabic or Persian digits: null for an empty field, undefined for
 * what is none.
 */
export function wholeNumber(typed: string): number | null | undefined {
  const text = latinDigits(typed.trim())
  if (text === "") {
    return null
  }
  // Longer ones are no exact numbers any more.
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Names of the fields whose value is not a whole number. */
export function notWhole(typed: Record<string, string>): string[] {
  return Object.keys(typed).filter((name) => wholeNumber(typed[name] ?? "") === undefined)
}
