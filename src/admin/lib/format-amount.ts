/**
 * A decimal string for people: grouped, without meaningless zeros at the end, and with every digit that means something.
 * Never through a number: fourteen decimals do not survive that.
 *
 * @param minDecimals kept even if they are zeros, as in 20.00 USD
 * @returns the text as it came if it is not a decimal
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

/** Fiat with its currency: `1,234.50 USD`. */
export function formatFiat(value: string, currency: string): string {
  return `${formatAmount(value, 2)} ${currency.toUpperCase()}`
}

/** Whether two decimal strings are the same figure, however many zeros they end with. */
export function isSameAmount(a: string, b: string): boolean {
  return formatAmount(a) === formatAmount(b)
}
