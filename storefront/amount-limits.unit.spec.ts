import { exceededCryptoLimit } from "./amount-limits"

describe("exceededCryptoLimit", () => {
  const limits = { currency_code: "usd", min: "5.00", max: "20.01" }

  it.each([
    [4.99, "min"],
    [4.994, "min"],
    [4.995, undefined],
    [5, undefined],
    [20.01, undefined],
    [20.014, undefined],
    [20.02, "max"],
  ])("%d is outside %s, as the store rounds", (amount, expected) => {
    expect(exceededCryptoLimit(amount, limits)).toBe(expected)
  })

  it("rounds what binary fractions have made a little less", () => {
    expect(exceededCryptoLimit(1.005, { ...limits, min: null, max: "1.00" })).toBe("max")
  })

  it("finds nothing without limits, or without one of them", () => {
    expect(exceededCryptoLimit(0.01, undefined)).toBeUndefined()
    expect(exceededCryptoLimit(0.01, { ...limits, min: null })).toBeUndefined()
    expect(exceededCryptoLimit(1e6, { ...limits, max: null })).toBeUndefined()
  })
})
