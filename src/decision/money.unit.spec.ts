import type { BigNumberInput } from "@medusajs/framework/types"
import { BigNumber } from "@medusajs/framework/utils"
import * as fc from "fast-check"
import "../property-seed.spec"
import { amountsEqual, isMoreThan, toAllDecimals, toRequestedMoney, toTwoDecimals } from "./money"

describe("toTwoDecimals", () => {
  it.each([
    [20.01, "20.01"],
    ["20.005", "20.01"],
    ["20.00499999999999", "20.00"],
    [1.005, "1.01"],
    ["0.004", "0.00"],
    [new BigNumber("19.995"), "20.00"],
    [new BigNumber("123456789012345678.91"), "123456789012345678.91"],
    [{ value: "20.0100000000", precision: 20 }, "20.01"],
    ["123456789012345678.91", "123456789012345678.91"],
  ] as [BigNumberInput, string][])("rounds %p half up", (amount, expected) => {
    expect(toTwoDecimals(amount)).toBe(expected)
  })

  it("refuses what is no number", () => {
    expect(() => toTwoDecimals("twenty")).toThrow("amount is not a finite number")
  })

  it("never moves an amount by more than half a cent", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (units) => {
        // 14 fractional digits, as the gateway writes amounts; the check itself is exact integer arithmetic.
        const digits = units.toString().padStart(15, "0")
        const rounded = toTwoDecimals(`${digits.slice(0, -14)}.${digits.slice(-14)}`)
        const roundedUnits = BigInt(rounded.replace(".", "")) * 10n ** 12n
        const moved = roundedUnits - units
        return moved <= 5n * 10n ** 11n && moved > -5n * 10n ** 11n
      })
    )
  })
})

describe("toAllDecimals", () => {
  it.each([
    ["0.00100", "0.001"],
    ["20.0", "20.00"],
    ["3", "3.00"],
    ["0.000000010", "0.00000001"],
  ])("shows %s without zeros at its end, but with two decimals", (amount, expected) => {
    expect(toAllDecimals(amount)).toBe(expected)
  })
})

describe("what a payment request asks for", () => {
  it("is the amount in two decimals, and the currency as the gateway writes it", () => {
    expect(toRequestedMoney("20.005", "usd")).toEqual({ amount: "20.01", currencySymbol: "USD" })
    expect(toRequestedMoney(7, "AED")).toEqual({ amount: "7.00", currencySymbol: "AED" })
  })

  it("is refused in another currency, with the way out", () => {
    const words =
      "Crypto payments take AED and USD, and this amount is in EUR. " +
      "Choose another payment method or a region in AED or USD."
    expect(() => toRequestedMoney("20", "eur")).toThrow(
      expect.objectContaining({ message: words, type: "invalid_data", code: "unsupported_currency" })
    )
  })

  it.each(["0", "-0.01"])("is refused when there is nothing to pay: %s", (amount) => {
    expect(() => toRequestedMoney(amount, "usd")).toThrow(
      expect.objectContaining({
        message: "Nothing has to be paid. Complete the order without a payment.",
        code: "nothing_to_pay",
      })
    )
  })

  it("is refused when it would be rounded to nothing", () => {
    const words = "Crypto payments need an amount above zero once rounded to two decimals."
    expect(() => toRequestedMoney("0.0049", "usd")).toThrow(words)
    expect(toRequestedMoney("0.005", "usd").amount).toBe("0.01")
  })
})

describe("comparing", () => {
  it("finds 14-digit strings and numbers equal", () => {
    expect(amountsEqual("20.01000000000000", 20.01)).toBe(true)
  })

  it("tells one cent apart in large amounts", () => {
    expect(amountsEqual("90071992547409930.01", "90071992547409930.02")).toBe(false)
  })

  it("says what is more only from a cent on", () => {
    expect(isMoreThan("0.004", "0")).toBe(false)
    expect(isMoreThan("0.005", "0")).toBe(true)
  })

  it("takes an amount that rounds to zero as not positive", () => {
    expect(isMoreThan("0.0049", 0)).toBe(false)
    expect(isMoreThan(-1, 0)).toBe(false)
    expect(isMoreThan("0.005", 0)).toBe(true)
  })

  // 14 fractional digits, as the gateway writes amounts; near each other, or equality would never be seen.
  const pair = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }))
    .map(([units, apart]): [bigint, bigint] => [units, units + apart < 0n ? 0n : units + apart])
  const written = (units: bigint): string => {
    const digits = units.toString().padStart(15, "0")
    return `${digits.slice(0, -14)}.${digits.slice(-14)}`
  }
  const cents = (units: bigint): bigint => (units + 5n * 10n ** 11n) / 10n ** 12n

  it("agrees with whole numbers of cents on what is equal and what is more, for any amounts", () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const [a, b] = [written(left), written(right)]
        expect([amountsEqual(a, b), isMoreThan(a, b), isMoreThan(b, a), isMoreThan(a, 0)]).toEqual([
          cents(left) === cents(right),
          cents(left) > cents(right),
          cents(right) > cents(left),
          cents(left) > 0n,
        ])
      }),
      { numRuns: 2000 }
    )
  })

  it("takes an amount for itself in every form Medusa has, and rounding it again for no change", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (units) => {
        const amount = written(units)
        const raw = { value: amount, precision: 20 }
        const forms: BigNumberInput[] = [raw, new BigNumber(raw) as BigNumberInput, toTwoDecimals(amount)]
        expect(forms.filter((form) => !amountsEqual(form, amount))).toEqual([])
      })
    )
  })
})
