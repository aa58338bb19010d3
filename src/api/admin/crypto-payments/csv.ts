import type { MedusaResponse } from "@medusajs/framework/http"

/**
 * What a cell may contain. A string that looks like a number is taken for a number; `text` stays a text, such as an id,
 * of which a spreadsheet would drop the leading zeros and all digits but fifteen.
 */
type Cell = string | number | null | { text: string | null }

const BYTE_ORDER_MARK = "\uFEFF"
/** Our own figures, negative ones too: a spreadsheet may take them as what they are. */
const NUMBER = /^-?\d+(\.\d+)?$/
/** What a spreadsheet may take for a number or a date. It takes no UUID for one. */
const LIKE_NUMBER = /^\s*[\p{Nd}.](?![\da-f]{7}-[\da-f]{4}-)/iu
/** What a spreadsheet may run as a formula when a cell begins with it; in some languages also the full-width signs. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/

/** Answers with a file that a spreadsheet opens rightly: byte order mark, CRLF, and no cell it could run. */
export function respondWithCsv(
  res: MedusaResponse,
  fileName: string,
  header: string[],
  rows: Cell[][]
): void {
  res.set("Content-Type", "text/csv; charset=utf-8")
  res.set("Content-Disposition", `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, "_")}"`)
  res.status(200).send(toCsv(header, rows))
}

/** @see https://owasp.org/www-community/attacks/CSV_Injection, and OWASP ASVS 5.0, requirement 1.2.10 */
export function toCsv(header: string[], rows: Cell[][]): string {
  return BYTE_ORDER_MARK + [header, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("")
}

function toCell(value: Cell): string {
  const isText = typeof value === "object" && value !== null
  const text = String((isText ? value.text : value) ?? "")
  const isMisread = isText
    ? FORMULA.test(text) || LIKE_NUMBER.test(text)
    : FORMULA.test(text) && !NUMBER.test(text)
  const safe = isMisread ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
