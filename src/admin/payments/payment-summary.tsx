import { clx } from "@medusajs/ui"
import { useState } from "react"
import type { Activity, CryptoPayment, CryptoPaymentDetail, RequestState } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { Action, Advice, type Fact, Remark, Subtle } from "../shared/layout"
import { providerName } from "../shared/page"
import { Amount, Mark, Moment, Status } from "../shared/values"
import { t } from "../shared/words"
import { feePayer, gatewayCurrency, needsAttention, paidOtherwise } from "./payment"

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
      [t("common.amount"), <Amount value={payment.amount} currency={payment.currency_code} />],
      [t("detail.amountPaid"), paidOtherwise(payment) !== null && inCurrency(payment.gateway_amount)],
      [t("detail.coin"), payment.payment_amount !== null && coin],
      [t("common.refunded"), isRefunded(payment) && <RefundProgress payment={payment} />],
    ],
    costs: [
      [t("common.fee"), payment.fee_amount !== null && fee],
      [t("detail.net"), inCurrency(payment.receiving_amount)],
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
  const words = t(isFailed ? "list.linkFailed" : `state.${state}`)
  return <Status color={isFailed ? "red" : STATE_COLORS[state]}>{words}</Status>
}

export function AttentionBadge({ payment }: { payment: CryptoPayment }) {
  const { attention_reason: reason } = payment
  return reason === null ? null : (
    <Status color={needsAttention(payment) ? "red" : "grey"}>{t(`attention.reasons.${reason}.title`)}</Status>
  )
}

/** What prevents Medusa from cancelling an unpaid order: a fulfillment, or the type of its open change. */
const OBSTACLES = ["edit", "return_request", "return_receive", "exchange", "claim", "fulfillment"]

export function CaseWords({ payment }: { payment: CryptoPayment }) {
  const reason = payment.attention_reason ?? ""
  const { obstacle, paid_by: paidBy } = payment.attention_detail ?? {}
  const sum = payment.attention_amount
  const amount = sum === null ? "…" : formatFiat(sum, payment.currency_code)
  const values = { provider: providerName(payment.provider_id), amount }
  const happened = [
    t(`attention.reasons.${reason}.happened`, values),
    obstacle && t(`attention.obstacles.${OBSTACLES.includes(obstacle) ? obstacle : "other"}`),
    paidBy && t("attention.paidBy", { provider: paidBy }),
  ]
  const meaning = happened.filter(Boolean).join(" ")
  return <Advice meaning={meaning} todo={t(`attention.reasons.${reason}.todo`, values)} />
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

export function Timeline({ payment, shown = 8 }: { payment: CryptoPaymentDetail; shown?: number }) {
  const [isWhole, setWhole] = useState(false)
  const newestFirst = payment.activities.slice().reverse()
  const visible = isWhole ? newestFirst : newestFirst.slice(0, shown)
  const hidden = newestFirst.length - visible.length
  const more = { label: t("detail.showMore", { count: hidden }), onClick: () => setWhole(true) }
  return visible.length === 0 ? (
    <Remark>{t("detail.timelineEmpty")}</Remark>
  ) : (
    <div className="flex flex-col gap-y-2 px-6 py-4">
      <ol className="flex flex-col">
        {visible.map((entry) => (
          <TimelineEntry key={entry.id} activity={entry} payment={payment} />
        ))}
      </ol>
      {hidden > 0 && <Action {...more} variant="transparent" />}
    </div>
  )
}

function TimelineEntry({ activity, payment }: { activity: Activity; payment: CryptoPaymentDetail }) {
  const { type, actor, detail } = activity
  const note = detail?.["note"]
  const dot = type === "attention" ? "bg-ui-button-danger" : "bg-ui-fg-muted"
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
      <div className="flex flex-col items-center" aria-hidden>
        <span className={clx("mt-1.5 size-2 shrink-0 rounded-full", dot)} />
        <span className="bg-ui-border-strong mt-1 w-px flex-1 [li:last-child>div>&]:hidden" />
      </div>
      <div className="pb-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="txt-compact-small-plus min-w-0 break-words">{activityWords(activity, payment)}</p>
          <p className="txt-compact-small text-ui-fg-subtle">
            <Moment at={activity.created_at} />
          </p>
        </div>
        {actor !== null && (
          <p className="txt-compact-small text-ui-fg-subtle break-words">
            {t("activity.by", { name: actor.name ?? actor.id })}
          </p>
        )}
        {note && <Subtle className="whitespace-pre-line break-words">{note}</Subtle>}
      </div>
    </li>
  )
}

function activityWords(activity: Activity, payment: CryptoPaymentDetail): string {
  const { type, detail } = activity
  const said = detail ?? {}
  const reason = said["reason"] ?? ""
  const values = {
    amount: formatFiat(said["amount"] ?? "", said["currency_symbol"] ?? gatewayCurrency(payment)),
    fields: said["ignored_fields"],
    number: payment.order?.display_id,
    reason: type === "attention" && t(`attention.reasons.${reason}.title`),
    reference: said["reference"] ?? "",
    status: said["status"] ?? "–",
  }
  const because = t(`activity.${type}Because.${reason}`, { defaultValue: "" })
  return because || t(`activity.${activityKey(activity, payment)}`, values)
}

function activityKey({ id, type, detail }: Activity, payment: CryptoPaymentDetail): string {
  const { activities, order, paid_at: paidAt } = payment
  if (type === "checked") {
    return detail?.["ignored_fields"] ? "fieldsIgnored" : detail?.["failure"] ? "checkFailed" : type
  }
  const isFirst = activities.find((other) => other.type === type)?.id === id
  if (type !== "settled" || !isFirst || order?.display_id == null) {
    return type
  }
  // On the first completion its order was placed; an order that existed before was paid.
  return paidAt !== null && order.created_at < paidAt ? "orderPaid" : "orderPlaced"
}
