import type { CryptoPayment } from "../../http-contract"
import type { Words } from "../shared/words"
import { formatFiat, isSameAmount } from "../shared/figures"

type Amounts = Pick<
  CryptoPayment,
  "amount" | "currency_code" | "gateway_amount" | "gateway_currency_symbol" | "paid_at"
>

/**
 * The received currency: of fee, net and refunds. A payer can pay in another currency than the requested one. A row
 * without the gateway's currency has the requested one.
 */
export function gatewayCurrency({ gateway_currency_symbol: symbol, currency_code: asked }: Amounts): string {
  return symbol?.toLowerCase() || asked
}

/** The received amount, if it differs from the requested one; null otherwise, and before a payment. */
export function paidOtherwise(payment: Amounts): string | null {
  const { amount, currency_code: asked, gateway_amount: came, paid_at: paidAt } = payment
  const currency = gatewayCurrency(payment)
  const isOther = paidAt !== null && came !== null && !(isSameAmount(came, amount) && currency === asked)
  return isOther ? formatFiat(came, currency) : null
}

/** Who pays the fee, in words where there are any. */
export function feePayer(who: string | null, t: Words): string | null {
  return who === "BUYER" || who === "MERCHANT" ? t(`feePaidBy.${who}`) : who
}

/** A case is open until somebody resolves it. */
export function needsAttention(payment: CryptoPayment): boolean {
  return payment.attention_reason !== null && payment.attention_resolved_at === null
}

/**
 * An order's payments as its page shows them.
 *
 * @param payments the oldest first
 * @returns the open cases, then what was paid, or the newest link where nothing was; and the attempts before
 */
export function arrangePayments(payments: CryptoPayment[]): Record<"shown" | "earlier", CryptoPayment[]> {
  const newestFirst = payments.slice().reverse()
  const cases = newestFirst.filter(needsAttention)
  const paid = newestFirst.filter((payment) => payment.paid_at !== null && !needsAttention(payment))
  const isWaiting = ({ state }: CryptoPayment) => state === "open" || state === "creating"
  const [newest] = [...newestFirst.filter(isWaiting), ...newestFirst]
  const shown = [...cases, ...paid]
  if (newest !== undefined && (shown.length === 0 || (paid.length === 0 && isWaiting(newest)))) {
    shown.push(...[newest].filter((payment) => !shown.includes(payment)))
  }
  return { shown, earlier: newestFirst.filter((payment) => !shown.includes(payment)) }
}
