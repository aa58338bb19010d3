import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CheckCircle, CurrencyDollar } from "@medusajs/icons"
import { Badge, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { ATTENTION_REASONS } from "../../../decision/attention"
import type { CryptoPayment } from "../../../http-contract"
import { isLinkFirst } from "../../payments/payment"
import { CopyButtons, PaymentActions, useOpenCases, usePayments } from "../../payments/payment-actions"
import { AttentionBadge, CaseWords, PaymentAmount } from "../../payments/payment-summary"
import { PaymentsTable } from "../../payments/payments-table"
import { formatCount } from "../../shared/figures"
import { Choice } from "../../shared/form"
import { Card } from "../../shared/layout"
import { Boundary, EmptyNotice, guarded, Loaded, named, Page, Pages, ToLastPage } from "../../shared/page"
import { useUrlState, withOffset } from "../../shared/queries"
import { Customer, OrderLink } from "../../shared/values"
import { ago, direction, t, useLanguage } from "../../shared/words"

export default guarded(function CryptoPaymentsPage() {
  const openCases = useOpenCases()
  const [parameters, setParameters] = useSearchParams()
  const tab = parameters.get("tab") === "attention" ? "attention" : "all"
  const tabs = (
    <Tabs
      dir={direction()}
      value={tab}
      // Search and filters of one view mean nothing in the other.
      onValueChange={(value) => setParameters(value === "attention" ? { tab: value } : {})}
      className="flex flex-col gap-y-3"
    >
      <Heading className="sr-only">{t("nav.payments")}</Heading>
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

function AttentionList() {
  const [reason, setReason] = useUrlState("reason", "open")
  const [parameters, setParameters] = useSearchParams()
  const go = (to: number) => setParameters(withOffset(new URLSearchParams(window.location.search), to))
  const offset = Number(parameters.get("offset")) || 0
  const cases = usePayments({ attention: reason, order: "attention_since", limit: PAGE_SIZE, offset })
  const count = cases.data?.count ?? 0
  const reasons = [
    { value: "open", label: t("attention.allReasons") },
    ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
  ]
  const none = reason === "open" ? "empty" : "emptyOfReason"
  const icon = <CheckCircle className="text-ui-tag-green-icon" />
  const choice = { value: reason, onChange: setReason, options: reasons }
  return (
    <Card
      title={t("attention.title")}
      subtitle={t("attention.subtitle")}
      actions={<Choice aria-label={t("attention.reason")} className="min-w-48" {...choice} />}
    >
      {!cases.isPlaceholderData && <ToLastPage count={cases.data?.count} pageSize={PAGE_SIZE} />}
      <Loaded isKept query={cases}>
        {({ crypto_payments: payments }) =>
          payments.length === 0 ? (
            <EmptyNotice title={t(`attention.${none}`)} hint={t(`attention.${none}Hint`)} icon={icon} />
          ) : (
            payments.map((payment) => <AttentionCase key={payment.id} payment={payment} />)
          )
        }
      </Loaded>
      {count > PAGE_SIZE && <Pages offset={offset} count={count} pageSize={PAGE_SIZE} go={go} />}
    </Card>
  )
}

/** Cases whose words, or whose documentation, advise to give the payer a link. */
const GIVES_LINK: unknown[] = ["order_underpaid", "order_not_canceled", "partly_paid"]

function AttentionCase({ payment }: { payment: CryptoPayment }) {
  const { customer, order_id: orderId, attention_since: since } = payment
  return (
    <article aria-label={payment.id} className="flex flex-col gap-y-3 px-6 py-4">
      <div className="txt-compact-small flex flex-wrap items-center gap-x-3 gap-y-1">
        <AttentionBadge payment={payment} />
        <div className="txt-compact-small-plus tabular-nums">
          <PaymentAmount payment={payment} />
        </div>
        <div className="text-ui-fg-subtle">
          <OrderLink payment={payment} />
        </div>
        {customer !== null && <Customer customer={customer} />}
        {since !== null && <span className="text-ui-fg-subtle">{ago(since)}</span>}
      </div>
      <CaseWords payment={payment} />
      <PaymentActions payment={payment} details={t("attention.details")}>
        {orderId !== null && GIVES_LINK.includes(payment.attention_reason) && (
          <CopyButtons orderId={orderId} isPrimary={isLinkFirst(payment)} />
        )}
      </PaymentActions>
    </article>
  )
}

export const config = defineRouteConfig({
  label: "nav.payments",
  icon: PaymentsIcon,
  translationNs: "cryptoPayments",
})

export const handle = named("nav.payments")
