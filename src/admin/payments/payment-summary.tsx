import type { CryptoPayment, RequestState } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { Advice, type Fact, Subtle } from "../shared/layout"
import { providerName } from "../shared/page"
import { Amount, Mark, Moment, Status, TextLink } from "../shared/values"
import { t } from "../shared/words"
import {
  difference,
  feePayer,
  gatewayCurrency,
  likeliestStep,
  needsAttention,
  paidOtherwise,
} from "./payment"

/** Each figure on one line with its currency. */
export function PaymentAmount({ payment }: { payment: CryptoPayment }) {
  const [asked, paid] = [formatFiat(payment.amount, payment.currency_code), paidOtherwise(payment)].map(
    (amount) => amount?.replace(" ", "\u00a0")
  )
  return paid ? <>{t("detail.paidOtherwise", { paid, asked })}</> : <bdi dir="ltr">{asked}</bdi>
}

export function moneyFacts(payment: CryptoPayment): Record<"amounts" | "costs", Fact[]> {
  const currency = gatewayCurrency(payment)
  const payer = feePayer(payment.fee_paid_by)
  const inCurrency = (value: string | null) => value !== null && <Amount value={value} currency={currency} />
  const fee = (
    <>
      {inCurrency(payment.fee_amount)}
      {payer !== null && <span className="text-ui-fg-subtle">{payer}</span>}
    </>
  )
  const coin = <Amount value={payment.payment_amount} coin={payment.payment_currency} />
  return {
    amounts: [
      [t("common.gatewayStatus"), payment.gateway_status && <Mark>{payment.gateway_status}</Mark>],
      [t("detail.amountRequested"), <Amount value={payment.amount} currency={payment.currency_code} />],
      [t("detail.amountPaid"), paidOtherwise(payment) !== null && inCurrency(payment.gateway_amount)],
      [t("detail.coin"), payment.payment_amount !== null && coin],
      [t("common.refunded"), isRefunded(payment) && <RefundProgress payment={payment} />],
    ],
    costs: [
      [t("common.fee"), payment.fee_amount !== null && fee],
      [
        t(isRefunded(payment) ? "detail.netBeforeRefunds" : "detail.net"),
        inCurrency(payment.receiving_amount),
      ],
    ],
  }
}

export const isRefunded = ({ refunded_amount: refunded }: CryptoPayment): boolean => /[1-9]/.test(refunded)

export function RefundProgress({ payment }: { payment: CryptoPayment }) {
  const currency = gatewayCurrency(payment)
  const paid = formatFiat(payment.gateway_amount ?? payment.amount, currency)
  const refunded = formatFiat(payment.refunded_amount, currency)
  return (
    <bdi dir="auto" className="block">
      {t("refund.progress", { refunded, paid })}
    </bdi>
  )
}

export const STATE_COLORS: Record<RequestState, "green" | "orange" | "grey" | "blue" | "purple"> = {
  creating: "grey",
  open: "blue",
  superseded: "grey",
  closed: "grey",
  paid: "orange",
  captured: "green",
  refunded: "purple",
}

export function StateBadge({ payment }: { payment: CryptoPayment }) {
  const { state, payment_request_id: id, closed_because: because } = payment
  // There never was a link to close, and the payer waited for one.
  const isFailed = state === "closed" && id === null && because !== "deleted_before_answer"
  const isCanceled = because === "unpaid_order_canceled"
  const isInPart = state === "captured" && isRefunded(payment)
  const key = isFailed ? "linkFailed" : isCanceled ? "notPaidInTime" : isInPart ? "partlyRefunded" : null
  const color = isFailed ? "red" : STATE_COLORS[isInPart ? "refunded" : state]
  return <Status color={color}>{t(key === null ? `state.${state}` : `list.${key}`)}</Status>
}

export function AttentionBadge({ payment }: { payment: CryptoPayment }) {
  const { attention_reason: reason } = payment
  return reason === null ? null : (
    <Status color={needsAttention(payment) ? "red" : "grey"}>{t(`attention.reasons.${reason}.title`)}</Status>
  )
}

/** Money that may be another order's, while it is not captured. */
const OR_USED = ["duplicate_payment", "paid_on_canceled"]

export function CaseWords({ payment }: { payment: CryptoPayment }) {
  const reason = payment.attention_reason ?? ""
  const { order_id: orderLeft } = payment.attention_detail ?? {}
  const sum = payment.attention_amount
  const amount = sum === null ? "…" : formatFiat(sum, payment.currency_code)
  const values = { provider: providerName(payment.provider_id), amount }
  const happened = [
    receivedWords(payment) ?? t(`attention.reasons.${reason}.happened`, values),
    reason === "paid_without_order" && orderLeft && t("attention.orderLeft", { order: orderLeft }),
  ]
  const todo = [
    todoWords(payment) ?? t(`attention.reasons.${reason}.todo`, values),
    payment.is_unused && OR_USED.includes(reason) && t("attention.orUse"),
  ]
  const together = (words: unknown[]) => words.filter(Boolean).join(" ")
  return (
    <>
      <Advice meaning={together(happened)} todo={together(todo)} />
      {payment.duplicate_of !== null && (
        <TextLink className="txt-compact-small" to={`/crypto-payments/${payment.duplicate_of}`}>
          {t("attention.otherPayment")}
        </TextLink>
      )}
    </>
  )
}

/** With the numbers, if the gateway received something else than was requested. */
function receivedWords(payment: CryptoPayment): string | null {
  const paid = payment.attention_reason === "amount_mismatch" ? paidOtherwise(payment) : null
  const { sum, amount } = difference(payment) ?? { sum: 0, amount: "" }
  if (paid === null || payment.captured_at !== null) {
    return null
  }
  if (sum === 0) {
    return t("attention.otherCurrency", { paid, asked: formatFiat(payment.amount, payment.currency_code) })
  }
  return t(sum > 0 ? "attention.tooLittle" : "attention.tooMuch", { amount })
}

function todoWords(payment: CryptoPayment): string | null {
  if (payment.attention_reason === "partly_paid" && payment.order_id === null) {
    return t("attention.todoPartOfCart")
  }
  const step = likeliestStep(payment)
  return step === "draft" ? t("attention.todoDraft") : step === "use" ? t("attention.todoUse") : null
}

export function Case({ payment }: { payment: CryptoPayment }) {
  const isOpen = needsAttention(payment)
  const { attention_since: since, attention_resolved_at: resolvedAt, attention_note: note } = payment
  return payment.attention_reason === null ? null : (
    <div className="bg-ui-bg-subtle flex flex-col gap-y-2 px-6 py-4">
      <div className="txt-compact-small text-ui-fg-subtle flex flex-wrap items-center gap-2">
        <AttentionBadge payment={payment} />
        <Moment at={isOpen ? since : resolvedAt} />
      </div>
      {isOpen && <CaseWords payment={payment} />}
      {!isOpen && note !== null && (
        <Subtle className="whitespace-pre-line">{`${t("common.note")}: ${note}`}</Subtle>
      )}
    </div>
  )
}
