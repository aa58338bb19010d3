/** The currencies that the gateway takes. The admin imports this file: it runs in a browser, and imports nothing. */
export const CURRENCY_SYMBOLS = ["AED", "USD"] as const

/** @see gateway interface, "Create a payment request" */
export type CurrencySymbol = (typeof CURRENCY_SYMBOLS)[number]

/** @param currencyCode any case ("usd") @returns undefined when the gateway does not take the currency */
export function toCurrencySymbol(currencyCode: string): CurrencySymbol | undefined {
  return CURRENCY_SYMBOLS.find((symbol) => symbol === currencyCode.toUpperCase())
}
