import type { CryptoPayment } from "./contract"
import { formatFiat, isSameAmount } from "./format-amount"

/**
 * The currency of what came: of fee, net and refunds. A payer can pay in another than was asked for. A row without the
 * gateway's word holds what was asked for.
 */
export function gatewayCurrency({
  gateway_currency_symbol: symbol,
  currency_code: asked,
}: Pick<CryptoPayment, "gateway_currency_symbol" | "currency_code">): string {
  return symbol?.toLowerCase() || asked
}

/** What came, if that is not what was asked for; null otherwise, and before anything came. */
export function paidOtherwise(
  payment: Pick<
    CryptoPayment,
    "amount" | "currency_code" | "gateway_amount" | "gateway_currency_symbol" | "paid_at"
  >
): string | null {
  const { amount, currency_code: asked, gateway_amount: came, paid_at: paidAt } = payment
  if (paidAt === null || came === null) {
    return null
  }
  const currency = gatewayCurrency(payment)
  const isAsAsked = isSameAmount(came, amount) && currency === asked
  return isAsAsked ? null : formatFiat(came, currency)
}
