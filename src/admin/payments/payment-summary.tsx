import type { CryptoPayment, RequestState } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { Advice, type Fact, Mark, Subtle } from "../shared/layout"
import { Amount, Moment, OrderLink, Status, TextLink } from "../shared/values"
import { t, together } from "../shared/words"
import { caseWords, feePayer, gatewayCurrency, leftOrderOf, needsAttention, paidOtherwise } from "./payment"

/** Each figure on one line with its currency. */
export function PaymentAmount({ payment }: { payment: CryptoPayment }) {
  const [asked, paid] = [formatFiat(payment.amount, payment.currency_code), paidOtherwise(payment)].map(
    (amount) => amount?.replace(" ", "\u00a0")
  )
  return paid ? <>{t("detail.paidOtherwise", { paid, asked })}</> : <bdi dir="ltr">{asked}</bdi>
}

type LinkProps = { payment: CryptoPayment | undefined; id?: string }

/** @param id of a payment that may be unknown here */
export const PaymentLink = ({ payment, id = payment?.id }: LinkProps) => (
  <TextLink to={`/crypto-payments/${String(id)}`}>
    {payment === undefined ? id : <PaymentAmount payment={payment} />}
  </TextLink>
)

/** A line for each payment. @param hasOrders where they may be of several orders */
export const PaymentLines = ({ payments, hasOrders }: { payments: CryptoPayment[]; hasOrders: boolean }) => (
  <ul className="txt-compact-small divide-y">
    {payments.map((payment) => (
      <li key={payment.id} className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
        <PaymentLink payment={payment} />
        {hasOrders && <OrderLink payment={payment} />}
        <Moment at={payment.created_at} />
        <StateBadge payment={payment} />
      </li>
    ))}
  </ul>
)

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
  const net = t(isRefunded(payment) ? "detail.netBeforeRefunds" : "detail.net")
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
      [net, inCurrency(payment.receiving_amount)],
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

type CaseProps = { payment: CryptoPayment; isOwedShown?: boolean; said?: ReturnType<typeof caseWords> }

/** @param said what the group of this case says of all @param isOwedShown what the order owes is said above the case */
export function CaseWords({ payment, isOwedShown, said }: CaseProps) {
  const { meaning, own, todo, received } = caseWords(payment, isOwedShown)
  // The numbers say all that happened.
  const isSaid = said?.meaning === meaning || received !== null
  const link = linkOf(payment)
  return (
    <>
      <Advice meaning={together([!isSaid && meaning, own])} todo={said?.todo === todo ? "" : todo} />
      {link && <TextLink className="txt-compact-small" {...link} />}
    </>
  )
}

/** Where to look for what the case is about. */
function linkOf(payment: CryptoPayment): { to: string; children: string } | null {
  const { attention_reason, duplicate_of: other, duplicate_reference: reference, provider_id } = payment
  const order = leftOrderOf(payment)
  if (order !== null) {
    return { to: `/orders/${order}`, children: t("attention.showOrder") }
  }
  if (other !== null) {
    const name = reference ?? other
    return { to: `/crypto-payments/${other}`, children: t("attention.otherPayment", { name }) }
  }
  const settings = `/settings/crypto-payments?provider_id=${provider_id}`
  return attention_reason === "gateway_refuses" ? { to: settings, children: t("list.settings") } : null
}

export function Case({ payment, isOwedShown = false }: CaseProps) {
  const isOpen = needsAttention(payment)
  const { attention_since: since, attention_resolved_at: resolvedAt, attention_note: note } = payment
  return payment.attention_reason === null ? null : (
    <div className="bg-ui-bg-subtle flex flex-col gap-y-2 px-6 py-4">
      <div className="txt-compact-small text-ui-fg-subtle flex flex-wrap items-center gap-2">
        <AttentionBadge payment={payment} />
        <Moment at={isOpen ? since : resolvedAt} />
      </div>
      {isOpen && <CaseWords payment={payment} isOwedShown={isOwedShown} />}
      {!isOpen && note !== null && (
        <Subtle className="whitespace-pre-line">{`${t("common.note")}: ${note}`}</Subtle>
      )}
    </div>
  )
}
