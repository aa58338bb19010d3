import type { BigNumberInput } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { isPositiveAmount, toCurrencySymbol, toTwoDecimals, type CurrencySymbol } from "./money"

/** @throws MedusaError 400 for what the gateway does not take */
export function toRequestedMoney(
  amount: BigNumberInput,
  currencyCode: string
): { amount: string; currencySymbol: CurrencySymbol } {
  const currencySymbol = toCurrencySymbol(currencyCode)
  if (currencySymbol === undefined) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `Crypto payments take AED and USD; this cart is in ${currencyCode.toUpperCase()}. Choose another payment method or a region in AED or USD.`
    )
  }
  if (!isPositiveAmount(amount)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "Crypto payments need an amount above zero once rounded to two decimals."
    )
  }
  return { amount: toTwoDecimals(amount), currencySymbol }
}
