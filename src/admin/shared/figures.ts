import { CURRENCY_SYMBOLS } from "../../gateway/currencies"

/**
 * A grouped decimal string without meaningless zeros at the end. Intl formats the text itself, with the fourteen
 * decimals that a number would lose. A text that is no decimal stays as it is.
 * @param minDecimals kept even if they are zeros, as in 20.00 USD
 */
export function formatAmount(value: string, minDecimals = 0): string {
  const digits = { minimumFractionDigits: minDecimals, maximumFractionDigits: 20 }
  const isDecimal = /^-?\d+(\.\d+)?$/.test(value)
  return isDecimal ? new Intl.NumberFormat("en", digits).format(value as `${number}`) : value
}

/** `12,345`; a dash if unknown. */
export const formatCount = (count: number | null): string =>
  count === null ? "–" : formatAmount(String(count))

/** `1,234.50 USD`. */
export const formatFiat = (value: string, currency: string): string =>
  `${formatAmount(value, 2)} ${currency.toUpperCase()}`

export const FIAT = CURRENCY_SYMBOLS.map((label) => ({ value: label.toLowerCase(), label }))
