import { toCsv } from "./csv"

describe("toCsv", () => {
  it("begins with a byte order mark and ends every line with CRLF", () => {
    expect(toCsv(["a", "b"], [["1", 2]])).toBe("\uFEFFa,b\r\n1,2\r\n")
  })

  it.each([
    ["a comma", "a,b", '"a,b"'],
    ["a quote", 'say "hi"', '"say ""hi"""'],
    ["a line break", "a\r\nb", '"a\r\nb"'],
    ["nothing", null, ""],
    ["Arabic", "عائشة", "عائشة"],
  ])("writes %s so that a spreadsheet reads it back", (_, value, cell) => {
    expect(toCsv(["a"], [[value]])).toBe(`\uFEFFa\r\n${cell}\r\n`)
  })

  it.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")', "-1.5e3", "--1"])(
    "takes the formula out of %j",
    (value) => {
      expect(toCsv(["a"], [[value]])).toBe(`\uFEFFa\r\n"'${value.replaceAll('"', '""')}"\r\n`)
    }
  )

  it.each(["-5.00", "-5", "20.01", "0"])("leaves the number %s a number", (value) => {
    expect(toCsv(["a"], [[value]])).toBe(`\uFEFFa\r\n${value}\r\n`)
  })
})
