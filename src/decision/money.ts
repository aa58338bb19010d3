import type { BigNumberInput } from "@medusajs/framework/types"
import { BigNumber, MathBN, MedusaError } from "@medusajs/framework/utils"
import { CURRENCY_SYMBOLS, toCurrencySymbol, type CurrencySymbol } from "../gateway"

const ROUND_HALF_UP = 4

/**
 * An amount as the gateway and the ledger compare it.
 *
 * @param amount major units: number, string, BigNumber or Medusa's raw `{value, precision}`
 * @returns a plain decimal string with exactly two decimals, rounded half up ("20.005" → "20.01")
 * @throws when the amount is not a finite number
 */
export function toTwoDecimals(amount: BigNumberInput): string {
  const exact = MathBN.convert(amount instanceof BigNumber ? (amount.raw ?? amount.numeric) : amount)
  if (!exact.isFinite()) {
    throw new TypeError("amount is not a finite number")
  }
  return exact.toFixed(2, ROUND_HALF_UP)
}

/** An amount without trailing zeros, but with at least two decimals ("0.00100" → "0.001", "20.0" → "20.00"). */
export function toAllDecimals(amount: string): string {
  const exact = MathBN.convert(amount)
  return exact.toFixed(Math.max(2, exact.decimalPlaces() ?? 0))
}

/** Whether two amounts are the same once rounded half up to two decimals. */
export function amountsEqual(left: BigNumberInput, right: BigNumberInput): boolean {
  return toTwoDecimals(left) === toTwoDecimals(right)
}

/** Whether `left` is more than `right` once both are rounded half up to two decimals. */
export function isMoreThan(left: BigNumberInput, right: BigNumberInput): boolean {
  return MathBN.gt(toTwoDecimals(left), toTwoDecimals(right))
}

const invalidData = (message: string, code?: string): MedusaError =>
  new MedusaError(MedusaError.Types.INVALID_DATA, message, code)

/** @throws MedusaError 400 for what the gateway does not take */
export function toRequestedMoney(
  amount: BigNumberInput,
  currencyCode: string
): { amount: string; currencySymbol: CurrencySymbol } {
  const currencySymbol = toCurrencySymbol(currencyCode)
  if (currencySymbol === undefined) {
    throw invalidData(
      `Crypto payments take ${CURRENCY_SYMBOLS.join(" and ")}, and this amount is in ` +
        `${currencyCode.toUpperCase()}. Choose another payment method or a region in ` +
        `${CURRENCY_SYMBOLS.join(" or ")}.`,
      "unsupported_currency"
    )
  }
  if (MathBN.lte(amount, 0)) {
    throw invalidData("Nothing has to be paid. Complete the order without a payment.", "nothing_to_pay")
  }
  if (!isMoreThan(amount, 0)) {
    throw invalidData("Crypto payments need an amount above zero once rounded to two decimals.")
  }
  return { amount: toTwoDecimals(amount), currencySymbol }
}
