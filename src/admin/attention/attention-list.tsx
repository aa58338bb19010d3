import { CheckCircle } from "@medusajs/icons"
import { Button, Container } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, useSearchParams } from "react-router-dom"
import { ATTENTION_REASONS } from "../../decision/attention"
import { usePayments } from "../payments/payments"
import { Choice } from "../shared/form"
import { SectionHeading, Subtle } from "../shared/layout"
import { EmptyNotice, Loaded } from "../shared/notices"
import { useUrlState } from "../shared/url-state"
import { useWords } from "../shared/words"
import { AttentionCase } from "./attention-case"

const PAGE_SIZE = 10

/** Every open case, the oldest first: it has waited longest. */
export function AttentionList() {
  const t = useWords()
  const [reason, setReason] = useUrlState("reason", "open")
  const [parameters] = useSearchParams()
  const offset = Number(parameters.get("offset") ?? 0) || 0
  const cases = usePayments({ attention: reason, order: "attention_since", limit: PAGE_SIZE, offset })
  const { data, isPlaceholderData } = cases
  const lastOffset = data === undefined ? offset : offsetOfLastPage(data.count)
  if (offset > lastOffset && !isPlaceholderData) {
    // The last case of the last page was resolved, or the address is an old one: the open cases are before it.
    return <Navigate replace to={{ search: withOffset(parameters, lastOffset).toString() }} />
  }
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("attention.title")} subtitle={t("attention.subtitle")}>
        <Choice
          aria-label={t("attention.reason")}
          className="min-w-48"
          value={reason}
          onChange={setReason}
          options={[
            { value: "open", label: t("attention.allReasons") },
            ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
          ]}
        />
      </SectionHeading>
      <Loaded query={cases}>
        {({ crypto_payments: payments }) =>
          payments.length === 0 ? (
            <EmptyNotice
              icon={<CheckCircle className="text-ui-tag-green-icon" />}
              title={t(reason === "open" ? "attention.empty" : "attention.emptyOfReason")}
              hint={t(reason === "open" ? "attention.emptyHint" : "attention.emptyOfReasonHint")}
            />
          ) : (
            payments.map((payment) => <AttentionCase key={payment.id} payment={payment} />)
          )
        }
      </Loaded>
      {data !== undefined && data.count > PAGE_SIZE && <Pages offset={offset} count={data.count} />}
    </Container>
  )
}

function offsetOfLastPage(count: number): number {
  return Math.max(0, Math.ceil(count / PAGE_SIZE) - 1) * PAGE_SIZE
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
  return (
    <div className="flex items-center justify-between px-6 py-4">
      <Subtle>
        {`${String(offset + 1)} – ${String(Math.min(offset + PAGE_SIZE, count))} ${t("general.of")} ${String(count)}`}
      </Subtle>
      <div className="flex items-center gap-x-2">
        <PageButton disabled={offset === 0} onClick={() => go(Math.max(0, offset - PAGE_SIZE))}>
          {t("general.prev")}
        </PageButton>
        <PageButton disabled={offset + PAGE_SIZE >= count} onClick={() => go(offset + PAGE_SIZE)}>
          {t("general.next")}
        </PageButton>
      </div>
    </div>
  )
}

function PageButton(props: ComponentProps<typeof Button>) {
  return <Button size="small" variant="transparent" {...props} />
}
