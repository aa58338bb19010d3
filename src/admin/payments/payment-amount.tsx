import { useWords } from "../shared/words"
import type { CryptoPayment } from "../../http-contract"
import { formatFiat } from "../shared/format-amount"
import { paidOtherwise } from "./paid-amount"

/** The requested amount, and the received amount if it differs. */
export function PaymentAmount({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const asked = formatFiat(payment.amount, payment.currency_code)
  const paid = paidOtherwise(payment)
  return paid === null ? <bdi dir="ltr">{asked}</bdi> : <>{t("detail.paidOtherwise", { paid, asked })}</>
}
