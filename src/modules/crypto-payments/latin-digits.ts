/**
 * A typed number, with Arabic and Persian digits and separators as Latin ones, and without grouping. The admin
 * imports this file: it runs in a browser, and imports nothing.
 */
export const latinDigits = (typed: string): string =>
  typed
    // Both alphabets begin at a multiple of 16, so the last four bits are the digit.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\u066b/g, ".")
    .replace(/\u066c/g, "")
    .replace(/\u060c/g, ",")
    .replace(/^\s*[1-9]\d{0,2}(,\d{3})+(?=\.|\s*$)/, (whole) => whole.replaceAll(",", ""))
