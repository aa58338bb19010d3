import fc from "fast-check"
import "../../../property-seed.spec"
import { toLines } from "./csv"

/** What hurts a file: its own signs, what a spreadsheet runs, and what makes a number. */
const SIGNS = Array.from("=+-@,;\"'\t\r\n\0＝＋－＠ 1.e")

/** Reads a file back as RFC 4180 says, and shares no code with what wrote it. */
function parseCsv(file: string): string[][] {
  const rows: string[][] = [[]]
  // One cell and what ends it: quoted with doubled quotes inside, or free of quotes, commas and line breaks.
  for (const [, quoted, plain, end] of file.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "")
    if (end === "\r\n") {
      rows.push([])
    }
  }
  return rows.slice(0, -1)
}

const toIds = (value: string | null): string => toLines([{ a: value }], { columns: ["a"], ids: ["a"] })
const toValues = (...rows: (string | number | null)[][]): string =>
  toLines(
    rows.map(([a = null, b = null]) => ({ a, b })),
    { columns: rows.some((row) => row.length > 1) ? ["a", "b"] : ["a"], ids: [] }
  )

describe("the lines of a file", () => {
  it("end with CRLF", () => {
    expect(toValues(["1", 2], ["3", 4])).toBe("1,2\r\n3,4\r\n")
  })

  it.each([
    ["a comma", "a,b", '"a,b"'],
    ["a quote", 'say "hi"', '"say ""hi"""'],
    ["a line break", "a\r\nb", '"a\r\nb"'],
    ["nothing", null, ""],
    ["Arabic", "عائشة", "عائشة"],
  ])("writes %s so that a spreadsheet reads it back", (_, value, cell) => {
    expect(toValues([value])).toBe(`${cell}\r\n`)
  })

  it.each([
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\0=1",
    "＝1+1",
    '=HYPERLINK("x")',
    "-1.5e3",
    "--1",
  ])("takes the formula out of %j", (value) => {
    expect(toValues([value])).toBe(`"'${value.replaceAll('"', '""')}"\r\n`)
  })

  it.each(["-5.00", "-5", "20.01", "0"])("leaves the number %s a number", (value) => {
    expect(toValues([value])).toBe(`${value}\r\n`)
  })

  it.each([
    ...["00123456789012345678", "20.01", "1e5", "-5", " 007", "=1+1", "2026-11-25", "MAR1"],
    ...["REF123", "3f2a1b4c-0d5e-4f60-8a7b-9c0d1e2f3a4b"],
  ])("marks %j in a column of ids, as every other value of it", (id) => {
    expect(toIds(id)).toBe(`"'${id}"\r\n`)
  })

  it.each(["", null])("has nothing for the id %j", (id) => {
    expect(toIds(id)).toBe("\r\n")
  })

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...SIGNS),
        fc.constantFrom("\r\n", '""', "عائشة"),
        fc.string({ unit: "binary", maxLength: 3 })
      ),
      { maxLength: 6 }
    )
    .map((parts) => parts.join(""))
  const table = fc.array(fc.tuple(text, text), { maxLength: 4 })

  it("keeps every cell in its place and its text, but for the apostrophe before a formula, whatever it holds", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const read = parseCsv(toValues(...rows))
        const withoutMark = read.map((row, y) =>
          row.map((cell, x) => (cell === `'${rows[y]?.[x] ?? ""}` ? cell.slice(1) : cell))
        )
        expect(withoutMark).toEqual(rows)
      }),
      { numRuns: 1000 }
    )
  })

  it("begins no cell with what a spreadsheet runs, unless it is a number, whatever it holds", () => {
    fc.assert(
      fc.property(table, (rows) => {
        for (const cell of parseCsv(toValues(...rows)).flat()) {
          expect(
            cell === "" || !"=+-@\t\r\n\0＝＋－＠".includes(cell.charAt(0)) || /^-\d+(\.\d+)?$/.test(cell)
          ).toBe(true)
        }
      }),
      { numRuns: 1000 }
    )
  })
})
