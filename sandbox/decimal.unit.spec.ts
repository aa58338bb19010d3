import { COINS, quote } from "./coins"
import { decimal, displayDecimal, divide, formatDecimal, multiply, parseDecimal } from "./decimal"

describe("decimals", () => {
  it.each(["", ".5", "5.", "+1", "-1", "1e3", "1,000", " 1", "0x1", "1.000000000000001", "NaN"])(
    "refuses %p",
    (text) => {
      expect(parseDecimal(text)).toBeUndefined()
    }
  )

  it("keeps 14 digits that a float would lose", () => {
    expect(formatDecimal(decimal("90071992547409.93000000000001"))).toBe("90071992547409.93000000000001")
  })

  it("multiplies and divides rounding half up in the last digit", () => {
    expect(formatDecimal(multiply(decimal("0.00000000000005"), decimal("0.1")))).toBe("0.00000000000001")
    expect(formatDecimal(divide(decimal("2"), decimal("3")))).toBe("0.66666666666667")
  })

  it.each([
    ["20.01000000000000", 2, 8, "20.01"],
    ["20", 2, 8, "20.00"],
    ["0.000312656250", 2, 8, "0.00031266"],
    ["0.999999999", 2, 8, "1.00"],
    ["3", 0, 2, "3"],
  ])("shows %s with %i to %i digits as %s", (text, least, most, shown) => {
    expect(displayDecimal(decimal(text), least, most)).toBe(shown)
  })
})

describe("quote", () => {
  it.each([
    ["USDT", "USD", "20.01000000000000"],
    ["BTC", "USD", "0.00031265625000"],
    ["ETH", "AED", "0.00170268890402"],
  ])("gives 20.01 in %s for %s", (symbol, fiat, amount) => {
    const coin = COINS.find((each) => each.symbol === symbol)
    expect(coin && formatDecimal(quote(decimal("20.01"), fiat, coin))).toBe(amount)
  })
})
