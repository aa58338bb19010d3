import { useWords } from "../hooks/words"
import type { CryptoPayment } from "../lib/contract"
import { formatFiat } from "../lib/format-amount"
import { paidOtherwise } from "../lib/paid-amount"

/** What was asked for; and what came, where that is something else. */
export function PaymentAmount({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const asked = formatFiat(payment.amount, payment.currency_code)
  const paid = paidOtherwise(payment)
  return paid === null ? <bdi dir="ltr">{asked}</bdi> : <>{t("detail.paidOtherwise", { paid, asked })}</>
}
