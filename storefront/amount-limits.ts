/** `amount_limits` of a provider in `GET /store/payment-providers`. Null: no limit. */
export interface CryptoAmountLimits {
  currency_code: string
  min: string | null
  max: string | null
}

/**
 * Which limit a cart is outside of. The store refuses a payment of such a cart; with this, a page can say so before.
 *
 * @param amount the cart's `total`
 * @param limits undefined for a provider without limits
 */
export function exceededCryptoLimit(
  amount: number | undefined,
  limits: CryptoAmountLimits | undefined
): "min" | "max" | undefined {
  const { min, max } = limits ?? {}
  const coins = toCoins(amount)
  return min && coins < toCoins(min) ? "min" : max && coins > toCoins(max) ? "max" : undefined
}

/** Rounded half up, as the store rounds a link's amount; without the digits that binary fractions add. */
export function toCoins(amount: unknown): number {
  return Math.round(Number((Number(amount) * 100).toFixed(6)))
}
