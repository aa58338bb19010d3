import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CheckCircle, CurrencyDollar } from "@medusajs/icons"
import { Badge, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { ATTENTION_REASONS } from "../../../decision/attention"
import type { Health } from "../../../http-contract"
import { caseWords, givesLink } from "../../payments/payment"
import { PaymentActions, useOpenCases, usePayments } from "../../payments/payment-actions"
import { AttentionBadge, CaseWords, PaymentLink } from "../../payments/payment-summary"
import { PaymentsTable } from "../../payments/payments-table"
import { useHealth } from "../../settings/settings"
import { formatCount } from "../../shared/figures"
import { Choice } from "../../shared/form"
import { Action, Card, GroupHeading } from "../../shared/layout"
import { Boundary, EmptyNotice, guarded, Loaded, named, Page, Pages, ToLastPage } from "../../shared/page"
import { useUrlState, withOffset } from "../../shared/queries"
import { Customer, OrderLink, TextLink } from "../../shared/values"
import { ago, direction, t, useLanguage } from "../../shared/words"

export default guarded(function CryptoPaymentsPage() {
  const openCases = useOpenCases()
  const [parameters, setParameters] = useSearchParams()
  const tab = parameters.get("tab") === "attention" ? "attention" : "all"
  const tabs = (
    <Tabs
      dir={direction()}
      value={tab}
      // Else a press would choose it twice, as the focus that follows would, and Back would stay here.
      activationMode="manual"
      // Search and filters of one view mean nothing in the other.
      onValueChange={(value) => setParameters(value === "attention" ? { tab: value } : {})}
      className="flex flex-col gap-y-3"
    >
      <Heading className="sr-only">{t("nav.payments")}</Heading>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Tabs.List aria-label={t("list.tabs.label")}>
          <Tabs.Trigger value="all">{t("list.tabs.all")}</Tabs.Trigger>
          <Tabs.Trigger value="attention" className="flex items-center gap-x-2">
            {t("attention.title")}
            {openCases > 0 && (
              <Badge size="2xsmall" color="red" rounded="full">
                {formatCount(openCases)}
              </Badge>
            )}
          </Tabs.Trigger>
        </Tabs.List>
        <TextLink to="/settings/crypto-payments" className="txt-small">
          {t("list.settings")}
        </TextLink>
      </div>
      <Tabs.Content value="all">
        <PaymentsTable />
      </Tabs.Content>
      <Tabs.Content value="attention">
        <AttentionList />
      </Tabs.Content>
    </Tabs>
  )
  return <Page zone="list" main={{ CryptoPaymentsTabs: tabs }} />
})

/** The side bar's icon, on every page of the dashboard, with the number of open cases. */
const PaymentsIcon = () => (
  <Boundary fallback={() => <CurrencyDollar />}>
    <CurrencyDollar />
    <OpenCases />
  </Boundary>
)

/** The side bar cuts off what is outside an icon's box, so the badge is placed without a positioned parent. */
function OpenCases() {
  useLanguage()
  const count = useOpenCases()
  return count === 0 ? null : (
    <span className="absolute -mt-[21px] ms-[9px] flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-ui-button-danger px-[3px] text-[9px] font-medium leading-none text-ui-fg-on-color">
      <bdi dir="ltr" aria-hidden>
        {count > 9 ? "9+" : count}
      </bdi>
      <span className="sr-only">{t("nav.casesOpen", { count })}</span>
    </span>
  )
}

const PAGE_SIZE = 10
/** Of each reason, while all are shown. */
const MOST_SHOWN = 3

/** Each reason that has cases; or one, page by page, and so all of them while health, which counts them, is not read. */
function AttentionList() {
  const [reason, setReason] = useUrlState("reason", "open")
  const health = useHealth()
  const reasons = [
    { value: "open", label: t("attention.allReasons") },
    ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
  ]
  const choice = { value: reason, onChange: setReason, options: reasons }
  const ofAll = ({ attention }: Health) => {
    const present = ATTENTION_REASONS.filter((value) => attention.by_reason[value] !== undefined)
    return present.length === 0 ? (
      <NoCases name="empty" />
    ) : (
      present.map((value) => <Cases key={value} reason={value} showAll={() => setReason(value)} />)
    )
  }
  return (
    <Card
      title={t("attention.title")}
      subtitle={t("attention.subtitle")}
      actions={<Choice aria-label={t("attention.reason")} className="min-w-48" {...choice} />}
    >
      {reason === "open" && (health.data !== undefined || health.error === null) ? (
        <Loaded isKept query={health}>
          {ofAll}
        </Loaded>
      ) : (
        <Cases key={reason} reason={reason} />
      )}
    </Card>
  )
}

const NoCases = ({ name }: { name: "empty" | "emptyOfReason" }) => (
  <EmptyNotice
    title={t(`attention.${name}`)}
    hint={t(`attention.${name}Hint`)}
    icon={<CheckCircle className="text-ui-tag-green-icon" />}
  />
)

/** The cases of one reason, or all that are `open`, the oldest first. @param showAll goes to where all of them are; undefined there */
function Cases({ reason, showAll }: { reason: string; showAll?: () => void }) {
  const [parameters, setParameters] = useSearchParams()
  const go = (to: number) => setParameters(withOffset(new URLSearchParams(window.location.search), to))
  const isOfReason = reason !== "open"
  const offset = showAll ? 0 : Number(parameters.get("offset")) || 0
  const page = { limit: showAll ? MOST_SHOWN : PAGE_SIZE, offset }
  const cases = usePayments({ attention: reason, order: "attention_since", ...page })
  return (
    <>
      {!showAll && !cases.isPlaceholderData && <ToLastPage count={cases.data?.count} pageSize={PAGE_SIZE} />}
      <Loaded isKept query={cases}>
        {({ crypto_payments: payments, count }) => {
          const [first] = payments
          if (first === undefined) {
            return !showAll && <NoCases name={isOfReason ? "emptyOfReason" : "empty"} />
          }
          // A group of one is a case.
          const said = isOfReason && count > 1 ? caseWords(first) : undefined
          const title = t(isOfReason ? `attention.reasons.${reason}.title` : "attention.title")
          const number = formatCount(count)
          const all = { label: t("attention.showAll", { number }), onClick: showAll }
          return (
            <section aria-label={title} className="divide-y">
              {said && <GroupHeading title={title} count={number} color="red" {...said} />}
              {payments.map((payment) => (
                <AttentionCase key={payment.id} payment={payment} said={said} />
              ))}
              {showAll && count > MOST_SHOWN && (
                <div className="px-4 py-2">
                  <Action {...all} variant="transparent" />
                </div>
              )}
              {!showAll && count > PAGE_SIZE && (
                <Pages {...page} count={count} pageSize={PAGE_SIZE} go={go} />
              )}
            </section>
          )
        }}
      </Loaded>
    </>
  )
}

/** @param said what its group says, if it has one */
function AttentionCase({ payment, said }: Parameters<typeof CaseWords>[0]) {
  const { customer, attention_since: since } = payment
  return (
    <article aria-label={payment.id} className="flex flex-col gap-y-3 px-6 py-4">
      <div className="txt-compact-small flex flex-wrap items-center gap-x-3 gap-y-1">
        {!said && <AttentionBadge payment={payment} />}
        <div className="txt-compact-small-plus tabular-nums">
          <PaymentLink payment={payment} />
        </div>
        <OrderLink payment={payment} />
        {customer !== null && <Customer customer={customer} />}
        {since !== null && <span className="text-ui-fg-subtle">{ago(since)}</span>}
      </div>
      <CaseWords payment={payment} said={said} />
      <PaymentActions payment={payment} hasLink={givesLink(payment)} isPrimary />
    </article>
  )
}

export const config = defineRouteConfig({
  label: "nav.payments",
  icon: PaymentsIcon,
  translationNs: "cryptoPayments",
})

export const handle = named("nav.payments")
