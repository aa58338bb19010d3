import type { CryptoPayment } from "../../http-contract"

/** A case is open until somebody resolves it. */
export function needsAttention(
  payment: Pick<CryptoPayment, "attention_reason" | "attention_resolved_at">
): boolean {
  return payment.attention_reason !== null && payment.attention_resolved_at === null
}

/**
 * An order's payments as its page shows them.
 *
 * @param payments the oldest first
 * @returns the open cases, then what was paid, or the newest link where nothing was; and the attempts before
 */
export function arrangePayments(payments: CryptoPayment[]): {
  shown: CryptoPayment[]
  earlier: CryptoPayment[]
} {
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
