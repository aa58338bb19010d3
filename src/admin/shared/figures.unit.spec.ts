import { formatAmount, formatCount, formatFiat } from "./figures"

describe("formatAmount", () => {
  it.each([
    ["0.00000000000001", "0.00000000000001"],
    ["1234567.12345678901234", "1,234,567.12345678901234"],
    ["20.00000000000000", "20"],
    ["9007199254740993.10", "9,007,199,254,740,993.1"],
    ["0.00000000000000", "0"],
    ["-0.50", "-0.5"],
    ["007", "7"],
  ])("shows %s exactly, as %s", (value, shown) => {
    expect(formatAmount(value)).toBe(shown)
  })

  it("keeps the decimals of a fiat amount", () => {
    expect(formatFiat("20.00000000000000", "usd")).toBe("20.00 USD")
  })

  it("shows more than two decimals where there are more", () => {
    expect(formatFiat("20.005", "aed")).toBe("20.005 AED")
  })

  it("leaves alone what is not a decimal", () => {
    expect(formatAmount("n/a")).toBe("n/a")
  })
})

it.each([
  [null, "–"],
  [0, "0"],
  [12345, "12,345"],
])("shows a count of %s as %s", (count, shown) => {
  expect(formatCount(count)).toBe(shown)
})
