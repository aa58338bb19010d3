import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../modules/crypto-payments"
import { describeError } from "../../../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"

type Cell = string | number | null

const BYTE_ORDER_MARK = "\uFEFF"
/** Our own figures, negative ones too: a spreadsheet may read them as numbers. */
const NUMBER = /^-?\d+(\.\d+)?$/
/** First characters of a formula; in some languages also the full-width signs. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/

interface CsvFile<Column extends string> {
  name: string
  columns: readonly Column[]
  /** Columns of ids, of which some may be numbers: all are marked, so that a spreadsheet keeps their digits. */
  ids: readonly NoInfer<Column>[]
  /** At least one page. The next one is read when the reader has taken the one before. */
  pages: AsyncIterable<Record<Column, Cell>[]> | Iterable<Record<Column, Cell>[]>
}

/**
 * A route that answers with a file that spreadsheets open correctly: byte order mark, CRLF, and no cell that they could
 * run. An error of `read` or of the first page is answered. When a later page fails, the connection is destroyed, so
 * that nobody takes a part for the whole.
 */
export function answerCsv<Request extends MedusaRequest, Column extends string>(
  read: (req: Request, ledger: CryptoPaymentsModuleService) => Promise<CsvFile<Column>>
): (req: Request, res: MedusaResponse) => Promise<void> {
  return async (req, res) => {
    const file = await read(req, resolveLedger(req.scope))
    const chunks = toChunks(file)
    const first = await chunks.next()
    res.set("Content-Type", "text/csv; charset=utf-8")
    res.set("Content-Disposition", `attachment; filename="${file.name.replace(/[^A-Za-z0-9._-]/g, "_")}"`)
    // The admin may be of another origin.
    res.append("Access-Control-Expose-Headers", "Content-Disposition")
    res.status(200).write(first.value)
    try {
      await pipeline(chunks, res)
    } catch (error) {
      const code = describeError(error)
      // The reader disconnected. Core's error handler can answer only before the answer has begun.
      if (code !== "ERR_STREAM_PREMATURE_CLOSE") {
        req.scope
          .resolve(ContainerRegistrationKeys.LOGGER)
          .error(`crypto payments: a CSV file was not written to its end (${code})`)
      }
    }
  }
}

async function* toChunks<Column extends string>(file: CsvFile<Column>): AsyncGenerator<string, void> {
  let begin = BYTE_ORDER_MARK + toLine([...file.columns])
  for await (const page of file.pages) {
    yield begin + toLines(page, file)
    begin = ""
  }
}

/** @see https://owasp.org/www-community/attacks/CSV_Injection, and OWASP ASVS 5.0, requirement 1.2.10 */
export function toLines<Column extends string>(
  rows: Record<Column, Cell>[],
  { columns, ids }: Pick<CsvFile<Column>, "columns" | "ids">
): string {
  return rows
    .map((row) => toLine(columns.map((column) => toCell(row[column], ids.includes(column)))))
    .join("")
}

function toLine(cells: string[]): string {
  return `${cells.join(",")}\r\n`
}

function toCell(value: Cell, isId: boolean): string {
  const text = String(value ?? "")
  const isMisread = isId ? text !== "" : FORMULA.test(text) && !NUMBER.test(text)
  const safe = isMisread ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
