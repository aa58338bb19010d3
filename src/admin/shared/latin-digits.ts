const ZEROS = ["\u0660", "\u06f0"].map((zero) => zero.charCodeAt(0))

/** What somebody typed, with Arabic and Persian digits and decimal points as Latin ones. */
export function latinDigits(typed: string): string {
  return typed
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - Math.max(...ZEROS.filter((zero) => zero <= code)))
    })
    .replace(/\u066b/g, ".")
    .replace(/\u066c/g, "")
}
