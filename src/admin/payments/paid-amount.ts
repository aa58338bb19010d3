import type { CryptoPayment } from "../../http-contract"
import { formatFiat, isSameAmount } from "../shared/format-amount"

/**
 * The received currency: of fee, net and refunds. A payer can pay in another currency than the requested one. A row
 * without the gateway's currency has the requested one.
 */
export function gatewayCurrency({
  gateway_currency_symbol: symbol,
  currency_code: asked,
}: Pick<CryptoPayment, "gateway_currency_symbol" | "currency_code">): string {
  return symbol?.toLowerCase() || asked
}

/** The received amount, if it differs from the requested one; null otherwise, and before a payment. */
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
