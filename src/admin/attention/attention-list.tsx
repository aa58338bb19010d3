import { CheckCircle } from "@medusajs/icons"
import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, useSearchParams } from "react-router-dom"
import { Button } from "@medusajs/ui"
import { ATTENTION_REASONS } from "../../decision/attention"
import type { CryptoPayment } from "../../http-contract"
import { PaymentActions } from "../payments/payment-actions"
import { AttentionBadge, CaseWords, PaymentAmount } from "../payments/payment-summary"
import { usePayments } from "../payments/payments"
import { Choice } from "../shared/form"
import { Card, EmptyNotice, Loaded, Subtle } from "../shared/layout"
import { useUrlState } from "../shared/queries"
import { Customer, OrderLink } from "../shared/values"
import { useRelativeTime, useWords } from "../shared/words"

const PAGE_SIZE = 10

/** Every open case, the oldest first: it has waited longest. */
export function AttentionList() {
  const t = useWords()
  const [reason, setReason] = useUrlState("reason", "open")
  const [parameters] = useSearchParams()
  const offset = Number(parameters.get("offset")) || 0
  const cases = usePayments({ attention: reason, order: "attention_since", limit: PAGE_SIZE, offset })
  const { data, isPlaceholderData } = cases
  const lastOffset =
    data === undefined ? offset : Math.max(0, Math.ceil(data.count / PAGE_SIZE) - 1) * PAGE_SIZE
  if (offset > lastOffset && !isPlaceholderData) {
    // The last case of the last page was resolved, or the address is an old one: the open cases are before it.
    return <Navigate replace to={{ search: withOffset(parameters, lastOffset).toString() }} />
  }
  const reasons = [
    { value: "open", label: t("attention.allReasons") },
    ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
  ]
  const empty = (
    <EmptyNotice
      icon={<CheckCircle className="text-ui-tag-green-icon" />}
      title={t(reason === "open" ? "attention.empty" : "attention.emptyOfReason")}
      hint={t(reason === "open" ? "attention.emptyHint" : "attention.emptyOfReasonHint")}
    />
  )
  const choice = { value: reason, onChange: setReason, options: reasons }
  return (
    <Card
      title={t("attention.title")}
      subtitle={t("attention.subtitle")}
      actions={<Choice aria-label={t("attention.reason")} className="min-w-48" {...choice} />}
    >
      <Loaded query={cases}>
        {({ crypto_payments: payments }) =>
          payments.length === 0
            ? empty
            : payments.map((payment) => <AttentionCase key={payment.id} payment={payment} />)
        }
      </Loaded>
      {data !== undefined && data.count > PAGE_SIZE && <Pages offset={offset} count={data.count} />}
    </Card>
  )
}

function withOffset(parameters: URLSearchParams, offset: number): URLSearchParams {
  const changed = new URLSearchParams(parameters)
  changed.set("offset", String(offset))
  return changed
}

function Pages({ offset, count }: { offset: number; count: number }) {
  const { t } = useTranslation()
  const [, setParameters] = useSearchParams()
  const go = (to: number) => setParameters(withOffset(new URLSearchParams(window.location.search), to))
  const end = offset + PAGE_SIZE
  return (
    <div className="flex items-center justify-between px-6 py-4">
      <Subtle>{`${String(offset + 1)} – ${String(Math.min(end, count))} ${t("general.of")} ${String(count)}`}</Subtle>
      <div className="flex items-center gap-x-2">
        <PageButton disabled={offset === 0} onClick={() => go(Math.max(0, offset - PAGE_SIZE))}>
          {t("general.prev")}
        </PageButton>
        <PageButton disabled={end >= count} onClick={() => go(end)}>
          {t("general.next")}
        </PageButton>
      </div>
    </div>
  )
}

function PageButton(props: ComponentProps<typeof Button>) {
  return <Button size="small" variant="transparent" {...props} />
}

/** One open case: what happened, what to do, and the buttons to do it with. */
function AttentionCase({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const { id, customer, attention_since: since } = payment
  return (
    <article aria-label={id} className="flex flex-col gap-y-3 px-6 py-4">
      <div className="txt-compact-small flex flex-wrap items-center gap-x-3 gap-y-1">
        <AttentionBadge payment={payment} />
        <div className="txt-compact-small-plus tabular-nums">
          <PaymentAmount payment={payment} />
        </div>
        <div className="text-ui-fg-subtle">
          <OrderLink payment={payment} />
        </div>
        {customer !== null && <Customer customer={customer} />}
        {since !== null && <span className="text-ui-fg-subtle">{relativeTo(since)}</span>}
      </div>
      <CaseWords payment={payment} />
      <PaymentActions payment={payment} details={t("attention.details")} />
    </article>
  )
}
