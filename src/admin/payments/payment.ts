import type { CryptoPayment } from "../../http-contract"
import { t } from "../shared/words"
import { formatFiat } from "../shared/figures"

/** The received currency: of fee, net and refunds. It may differ from the requested currency, which is its fallback. */
export const gatewayCurrency = ({ gateway_currency_symbol: symbol, currency_code: asked }: CryptoPayment) =>
  symbol?.toLowerCase() || asked

/** The received amount, if it differs from the requested one. */
export function paidOtherwise(payment: CryptoPayment): string | null {
  const { amount, currency_code: asked, gateway_amount: came, paid_at: paidAt } = payment
  const paid = paidAt === null || came === null ? null : formatFiat(came, gatewayCurrency(payment))
  return paid === formatFiat(amount, asked) ? null : paid
}

export const feePayer = (who: string | null): string | null =>
  who === "BUYER" || who === "MERCHANT" ? t(`feePaidBy.${who}`) : who

export const needsAttention = (payment: CryptoPayment): boolean =>
  payment.attention_reason !== null && payment.attention_resolved_at === null

/** What to show of an order's payments (oldest first): the open cases, then what was paid, or else the newest link. */
export function arrangePayments(payments: CryptoPayment[]): Record<"shown" | "earlier", CryptoPayment[]> {
  const newestFirst = payments.slice().reverse()
  const cases = newestFirst.filter(needsAttention)
  const paid = newestFirst.filter((payment) => payment.paid_at !== null && !needsAttention(payment))
  const waiting = newestFirst.filter(({ state }) => state === "open" || state === "creating").slice(0, 1)
  const link = waiting.length > 0 || cases.length > 0 ? waiting : newestFirst.slice(0, 1)
  const shown = [...new Set([...cases, ...(paid.length > 0 ? paid : link)])]
  return { shown, earlier: newestFirst.filter((payment) => !shown.includes(payment)) }
}
