const ZEROS = ["\u0660", "\u06f0"].map((zero) => zero.charCodeAt(0))

/**
 * The whole number that somebody typed, in Latin, Arabic or Persian digits: null for an empty field, undefined for
 * what is none.
 */
export function wholeNumber(typed: string): number | null | undefined {
  const text = typed.trim().replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - Math.max(...ZEROS.filter((zero) => zero <= code)))
  })
  if (text === "") {
    return null
  }
  // Longer ones are no exact numbers any more.
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Names of the fields that hold something else than a whole number. */
export function notWhole(typed: Record<string, string>): string[] {
  return Object.keys(typed).filter((name) => wholeNumber(typed[name] ?? "") === undefined)
}
