import { useWords } from "../hooks/words"
import type { CryptoPayment } from "../lib/contract"
import { gatewayCurrency, paidOtherwise } from "../lib/paid-amount"
import { Amount } from "./amount"
import { FactRow } from "./fact-row"

/** What was asked for, what it was paid with, what it cost and what the merchant gets. */
export function PaymentMoney({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { fee_paid_by: payer } = payment
  const currency = gatewayCurrency(payment)
  return (
    <>
      <FactRow name={t("detail.amount")}>
        <Amount value={payment.amount} currency={payment.currency_code} />
      </FactRow>
      {paidOtherwise(payment) !== null && (
        <FactRow name={t("detail.amountPaid")}>
          <Amount value={payment.gateway_amount} currency={currency} />
        </FactRow>
      )}
      <FactRow name={t("detail.coin")}>
        <Amount value={payment.payment_amount} coin={payment.payment_currency} />
      </FactRow>
      <FactRow name={t("detail.fee")}>
        <Amount value={payment.fee_amount} currency={currency} />
        {payer !== null && (
          <span className="text-ui-fg-subtle">
            {payer === "BUYER" || payer === "MERCHANT" ? t(`feePaidBy.${payer}`) : payer}
          </span>
        )}
      </FactRow>
      <FactRow name={t("detail.net")}>
        <Amount value={payment.receiving_amount} currency={currency} />
      </FactRow>
    </>
  )
}
