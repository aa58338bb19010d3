import { Button, clx, Text } from "@medusajs/ui"
import { useState } from "react"
import { useWords, type Words } from "../shared/words"
import type { Activity, CryptoPaymentDetail } from "../../http-contract"
import { formatAmount, formatFiat } from "../shared/figures"
import { gatewayCurrency } from "./payment"
import { Moment } from "../shared/values"

interface TimelineProps {
  payment: CryptoPaymentDetail
  shown?: number
}

/** What happened, newest first; the rest behind a button when there is much. */
export function Timeline({ payment, shown = 8 }: TimelineProps) {
  const t = useWords()
  const [isWhole, setWhole] = useState(false)
  const newestFirst = payment.activities.slice().reverse()
  const visible = isWhole ? newestFirst : newestFirst.slice(0, shown)
  const hidden = newestFirst.length - visible.length
  if (visible.length === 0) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4">
        {t("detail.timelineEmpty")}
      </Text>
    )
  }
  return (
    <div className="flex flex-col gap-y-2 px-6 py-4">
      <ol className="flex flex-col">
        {visible.map((activity, index) => (
          <TimelineEntry
            key={activity.id}
            activity={activity}
            payment={payment}
            isLast={index === visible.length - 1}
          />
        ))}
      </ol>
      {hidden > 0 && (
        <div>
          <Button size="small" variant="transparent" onClick={() => setWhole(true)}>
            {t("detail.showMore", { count: hidden })}
          </Button>
        </div>
      )}
    </div>
  )
}

function TimelineEntry({
  activity,
  payment,
  isLast,
}: {
  activity: Activity
  payment: CryptoPaymentDetail
  isLast: boolean
}) {
  const t = useWords()
  const note = activity.detail?.["note"]
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
      <div className="flex flex-col items-center" aria-hidden>
        <span
          className={clx(
            "mt-1.5 size-2 shrink-0 rounded-full",
            activity.type === "attention" ? "bg-ui-button-danger" : "bg-ui-fg-muted"
          )}
        />
        {!isLast && <span className="bg-ui-border-strong mt-1 w-px flex-1" />}
      </div>
      <div className="pb-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <Text size="small" leading="compact" weight="plus" className="min-w-0 break-words">
            {activityWords(activity, payment, t)}
          </Text>
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            <Moment at={activity.created_at} />
          </Text>
        </div>
        {activity.actor !== null && (
          <Text size="small" leading="compact" className="text-ui-fg-subtle break-words">
            {t("activity.by", { name: activity.actor.name ?? activity.actor.id })}
          </Text>
        )}
        {note && (
          <Text size="small" className="text-ui-fg-subtle whitespace-pre-line break-words">
            {note}
          </Text>
        )}
      </div>
    </li>
  )
}

/** Why a request is not watched any more, or its order not kept. */
const CLOSED_WORDS: Record<string, string> = {
  creation_failed: "activity.creationFailed",
  deleted_before_answer: "activity.deletedBeforeAnswer",
  unpaid_order_canceled: "activity.unpaidOrderCanceled",
}

function activityWords({ id, type, detail }: Activity, payment: CryptoPaymentDetail, t: Words): string {
  const said = detail ?? {}
  const currency = gatewayCurrency(payment)
  switch (type) {
    case "checked":
      if (said["ignored_fields"]) {
        return t("activity.fieldsIgnored", { fields: said["ignored_fields"] })
      }
      return said["failure"]
        ? t("activity.checkFailed")
        : t("activity.checked", { status: said["status"] ?? "–" })
    case "closed":
      return t(CLOSED_WORDS[said["reason"] ?? ""] ?? "activity.closed")
    case "superseded":
      return t(said["reason"] === "paid_another_way" ? "activity.paidAnotherWay" : "activity.superseded")
    case "paid":
      return t("activity.paid", {
        amount: formatAmount(said["amount"] ?? "", 2),
        currency: said["currency_symbol"] ?? "",
      })
    case "captured":
      return t("activity.captured", { amount: formatFiat(said["amount"] ?? "", currency) })
    case "settled":
      return settledWords(id, payment, t)
    case "attention":
      return t("activity.attention", { reason: t(`attention.reasons.${said["reason"] ?? ""}.title`) })
    case "refund":
      return t("activity.refund", {
        amount: formatFiat(said["amount"] ?? "", currency),
        reference: said["reference"] ?? "",
      })
    default:
      return t(`activity.${type}`)
  }
}

/** The first time it is done, its order was placed; an order that was there before was paid. */
function settledWords(
  id: string,
  { activities, order, paid_at: paidAt }: CryptoPaymentDetail,
  t: Words
): string {
  const isFirst = activities.find(({ type }) => type === "settled")?.id === id
  if (!isFirst || order?.display_id == null) {
    return t("activity.settled")
  }
  const wasThere = paidAt !== null && order.created_at < paidAt
  return t(wasThere ? "activity.orderPaid" : "activity.orderPlaced", { number: order.display_id })
}
