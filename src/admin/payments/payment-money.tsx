import { useWords } from "../shared/words"
import type { AttentionReason, CryptoPayment, RequestState } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { gatewayCurrency, paidOtherwise } from "./payment"
import { Amount, Status } from "../shared/values"
import { FactRow } from "../shared/layout"

/** The requested amount, the payment and the refunds. A figure that does not exist yet has no row. */
export function PaymentAmounts({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const currency = gatewayCurrency(payment)
  const isRefunded = /[1-9]/.test(payment.refunded_amount)
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
      {payment.payment_amount !== null && (
        <FactRow name={t("detail.coin")}>
          <Amount value={payment.payment_amount} coin={payment.payment_currency} />
        </FactRow>
      )}
      {isRefunded && (
        <FactRow name={t("detail.refunded")}>
          <RefundProgress payment={payment} />
        </FactRow>
      )}
    </>
  )
}

/** "2.00 of 5.00 USD". */
export function RefundProgress({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const currency = gatewayCurrency(payment)
  const paid = formatFiat(payment.gateway_amount ?? payment.amount, currency)
  const refunded = formatFiat(payment.refunded_amount, currency)
  return <bdi dir="auto">{t("refund.progress", { refunded, paid })}</bdi>
}

/** What the payment cost, who paid that, and what the merchant gets. */
export function PaymentCosts({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { fee_paid_by: payer } = payment
  const currency = gatewayCurrency(payment)
  return (
    <>
      {payment.fee_amount !== null && (
        <FactRow name={t("detail.fee")}>
          <Amount value={payment.fee_amount} currency={currency} />
          {payer !== null && (
            <span className="text-ui-fg-subtle">
              {payer === "BUYER" || payer === "MERCHANT" ? t(`feePaidBy.${payer}`) : payer}
            </span>
          )}
        </FactRow>
      )}
      {payment.receiving_amount !== null && (
        <FactRow name={t("detail.net")}>
          <Amount value={payment.receiving_amount} currency={currency} />
        </FactRow>
      )}
    </>
  )
}

/** The requested amount, and the received amount if it differs. */
export function PaymentAmount({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const asked = formatFiat(payment.amount, payment.currency_code)
  const paid = paidOtherwise(payment)
  return paid === null ? <bdi dir="ltr">{asked}</bdi> : <>{t("detail.paidOtherwise", { paid, asked })}</>
}

const COLORS: Record<RequestState, "green" | "orange" | "grey" | "blue" | "purple"> = {
  creating: "grey",
  open: "blue",
  superseded: "grey",
  closed: "grey",
  paid: "orange",
  captured: "green",
  refunded: "purple",
}

/** Where a payment request is in its life. */
export function StateBadge({
  payment: { state, payment_request_id: id },
}: {
  payment: Pick<CryptoPayment, "state" | "payment_request_id">
}) {
  const t = useWords()
  if (state === "closed" && id === null) {
    // There never was a link to close.
    return <Status color="red">{t("list.linkFailed")}</Status>
  }
  return <Status color={COLORS[state]}>{t(`state.${state}`)}</Status>
}

/** Why the payment needs manual review; grey once it was reviewed. */
export function AttentionBadge({ reason, resolved }: { reason: AttentionReason; resolved: boolean }) {
  const t = useWords()
  return <Status color={resolved ? "grey" : "red"}>{t(`attention.reasons.${reason}.title`)}</Status>
}
