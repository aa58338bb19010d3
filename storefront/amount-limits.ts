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
  const cents = (money: unknown): number => Math.round(Number(money) * 100)
  const { min, max } = limits ?? {}
  return min && cents(amount) < cents(min) ? "min" : max && cents(amount) > cents(max) ? "max" : undefined
}
