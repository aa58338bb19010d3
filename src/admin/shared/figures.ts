import { CURRENCY_SYMBOLS } from "../../gateway/currencies"

/**
 * A grouped decimal string without meaningless zeros at the end. Never converted to a number: fourteen decimals would
 * lose digits. A text that is no decimal stays as it is.
 * @param minDecimals kept even if they are zeros, as in 20.00 USD
 */
export function formatAmount(value: string, minDecimals = 0): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) {
    return value
  }
  const [, sign = "", whole = "0", decimals = ""] = match
  const grouped = whole.replace(/^0+(?=\d)/, "").replace(/\B(?=(\d{3})+$)/g, ",")
  const kept = decimals.replace(/0+$/, "").padEnd(minDecimals, "0")
  return `${sign}${grouped}${kept === "" ? "" : `.${kept}`}`
}

/** `12,345`; a dash if unknown. */
export const formatCount = (count: number | null): string =>
  count === null ? "–" : formatAmount(String(count))

/** `1,234.50 USD`. */
export const formatFiat = (value: string, currency: string): string =>
  `${formatAmount(value, 2)} ${currency.toUpperCase()}`

export const FIAT = CURRENCY_SYMBOLS.map((label) => ({ value: label.toLowerCase(), label }))
