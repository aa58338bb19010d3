import { clx } from "@medusajs/ui"
import { useState } from "react"
import type { Activity, CryptoPaymentDetail } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { Action, Remark, Subtle } from "../shared/layout"
import { Loaded } from "../shared/page"
import { Moment, OrderLink } from "../shared/values"
import { t } from "../shared/words"
import { gatewayCurrency } from "./payment"
import { usePayment } from "./payment-actions"

/** The newest entries, then older ones by the page. @param shown only so many, where a link leads to all */
export function Timeline({ payment, shown }: { payment: CryptoPaymentDetail; shown?: number }) {
  const [offset, setOffset] = useState(0)
  const older = usePayment(payment.id, false, offset)
  return (
    // The page has read the newest.
    <Loaded query={offset === 0 ? { ...older, data: payment, error: null } : older}>
      {(page) => {
        const { activities, activities_count: count } = page
        const newestFirst = activities.slice().reverse()
        const next = offset + activities.length
        const turn = { label: t("detail.showOlder"), onClick: () => setOffset(next) }
        const newest = { label: t("detail.showNewest"), onClick: () => setOffset(0) }
        return count === 0 ? (
          <Remark>{t("detail.timelineEmpty")}</Remark>
        ) : (
          <div className="flex flex-col gap-y-2 px-6 py-4">
            <ol className="flex flex-col">
              {newestFirst.slice(0, shown).map((entry) => (
                <TimelineEntry key={entry.id} activity={entry} payment={page} />
              ))}
            </ol>
            {shown === undefined && next < count && <Action {...turn} variant="transparent" />}
            {offset > 0 && <Action {...newest} variant="transparent" />}
          </div>
        )
      }}
    </Loaded>
  )
}

function TimelineEntry({ activity, payment }: { activity: Activity; payment: CryptoPaymentDetail }) {
  const { type, actor, detail } = activity
  const by = actor && t("activity.by", { name: actor.name ?? actor.id })
  const note = detail?.["note"]
  const order_id = ["attention", "applied"].includes(type) ? (detail?.["order_id"] ?? null) : null
  const named = order_id === payment.order_id ? payment : { ...payment, order_id, order_display_id: null }
  const dot = type === "attention" ? "bg-ui-button-danger" : "bg-ui-fg-muted"
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
      <div className="flex flex-col items-center" aria-hidden>
        <span className={clx("mt-1.5 size-2 shrink-0 rounded-full", dot)} />
        <span className="bg-ui-border-strong mt-1 w-px flex-1 [li:last-child>div>&]:hidden" />
      </div>
      <div className="pb-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="txt-compact-small-plus min-w-0 break-words">
            {activityWords(activity, payment) + (order_id === null ? "" : " ")}
            {order_id !== null && <OrderLink payment={named} />}
          </p>
          <p className="txt-compact-small text-ui-fg-subtle">
            <Moment at={activity.created_at} />
          </p>
        </div>
        {by !== null && <Subtle className="break-words">{by}</Subtle>}
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
    number: payment.order?.display_id,
    reason: type === "attention" && t(`attention.reasons.${reason}.title`),
    reference: said["reference"] ?? "",
    status: said["status"] ?? "–",
  }
  const key = type === "attention" && said["order_id"] ? "attentionOfOrder" : activityKey(activity, payment)
  const because = t(`activity.${type}Because.${reason}`, { defaultValue: "" })
  return because || t(`activity.${key}`, values)
}

function activityKey({ type, detail, is_first }: Activity, payment: CryptoPaymentDetail): string {
  const { order, paid_at: paidAt, activities } = payment
  if (type === "checked") {
    return detail?.["failure"] ? "checkFailed" : type
  }
  // An order that the money was used for was made before, and may be a draft that still owes something.
  const isUsed = activities.some((other) => other.type === "applied")
  if (type !== "settled" || !is_first || isUsed || order?.display_id == null) {
    return type
  }
  // On the first completion its order was placed; an order that existed before was paid.
  return paidAt !== null && order.created_at < paidAt ? "orderPaid" : "orderPlaced"
}
