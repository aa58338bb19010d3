import { DataTable } from "@medusajs/dashboard/components"
import { useDataTableDateFilters } from "@medusajs/dashboard/hooks"
import { clx, Container, createDataTableColumnHelper, createDataTableFilterHelper } from "@medusajs/ui"
import { type PropsWithChildren, type ReactNode, useMemo, useSyncExternalStore } from "react"
import { ATTENTION_REASONS } from "../../decision/attention"
import type { CryptoPayment, CryptoPaymentList } from "../../http-contract"
import { useHealth } from "../settings/settings"
import type { Query } from "../shared/admin-api"
import { FIAT, formatFiat } from "../shared/figures"
import { EmptyNotice, Loaded, providerName, ToLastPage } from "../shared/page"
import { useExport, useTableQuery } from "../shared/queries"
import { Amount, Customer, Moment, OrderLink, TextLink } from "../shared/values"
import { direction, t, useLanguage } from "../shared/words"
import { gatewayCurrency, paidOtherwise } from "./payment"
import { AttentionBadge, STATE_COLORS, StateBadge } from "./payment-summary"
import { ofAllPages, usePayments, usePaymentTotals } from "./payment-actions"

const { accessor } = createDataTableColumnHelper<CryptoPayment>()
const PAGE_SIZE = 20

export function PaymentsTable() {
  const columns = usePaymentColumns()
  const query = useTableQuery(FILTERS, PAGE_SIZE)
  const filters = usePaymentFilters(usePaymentTotals(query).data?.coins)
  const payments = usePayments(query)
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const file = useExport("/export", { ...ofAllPages(query), time_zone })
  const filtered = <EmptyNotice title={t("list.filteredEmpty")} hint={t("list.filteredEmptyHint")} />
  const empty = <EmptyNotice title={t("list.empty")} hint={t("list.emptyHint")} />
  const table = ({ crypto_payments: data, count }: CryptoPaymentList) => (
    // Core keeps a row for chosen filters, even while none is chosen. Its space between columns is for wide screens,
    // and its outer cells have their space at the left and the right in every text direction. Below 900 px, its
    // search, filters and actions have a line of their own, and none of them shrinks but the search.
    <Container
      aria-busy={payments.isPlaceholderData}
      className="[&[aria-busy=true]_tbody]:opacity-50 divide-y p-0 max-[899px]:[&_.justify-between:has(h2)]:flex-wrap max-[899px]:[&_div:has(>div>div>[type=search])]:w-full max-[899px]:[&_div:has(>div>[type=search])]:min-w-0 max-[899px]:[&_div:has(>div>[type=search])]:flex-1 [&_button]:shrink-0 [&_button]:whitespace-nowrap max-2xl:[&_:is(td,th):not(:first-child,:last-child)]:pr-4 rtl:[&_tr>*:first-child]:pl-0 rtl:[&_tr>*:last-child]:pl-6 rtl:[&_tr>*:last-child]:pr-4 [&_.border-t:has(>div:only-child:empty)]:hidden"
    >
      {!payments.isPlaceholderData && <ToLastPage count={count} pageSize={PAGE_SIZE} />}
      <DataTable
        headingLevel="h2"
        heading={t("nav.payments")}
        subHeading={t("list.searches")}
        actions={[file]}
        data={data}
        columns={columns}
        filters={filters}
        getRowId={({ id }) => id}
        rowCount={count}
        rowHref={({ id }) => `/crypto-payments/${id}`}
        pageSize={PAGE_SIZE}
        emptyState={{ empty: { custom: empty }, filtered: { custom: filtered } }}
      />
      <LedgerTotals query={query} />
    </Container>
  )
  return (
    <Loaded isPage query={payments}>
      {table}
    </Loaded>
  )
}

/** Sums of all rows of the filter, not only of the page: a line for each currency. */
function LedgerTotals({ query }: { query: Query }) {
  const { data, isPlaceholderData } = usePaymentTotals(query)
  // Those of the filter before are of other rows.
  return data?.totals === undefined || data.count === 0 || isPlaceholderData ? null : (
    <dl
      aria-label={t("list.totals.label")}
      className="txt-compact-small text-ui-fg-subtle flex flex-wrap gap-x-8 gap-y-1 px-6 py-3"
    >
      <dt className="txt-compact-small-plus">{t("common.payments", { count: data.count })}</dt>
      {data.totals.map(({ currency_code: currency, amount, received, refunded }) => (
        <dd key={currency} className="tabular-nums">
          {[
            t("list.totals.asked", { amount: formatFiat(amount, currency) }),
            t("list.totals.received", { amount: formatFiat(received, currency) }),
            /[1-9]/.test(refunded) && t("list.totals.refunded", { amount: formatFiat(refunded, currency) }),
          ]
            .filter((sum) => sum !== false)
            // A narrow page breaks between sums, never between a figure and its currency.
            .map((sum) => sum.replaceAll(" ", "\u00a0"))
            .join(" · ")}
        </dd>
      ))}
    </dl>
  )
}

/** Below 900 px there are two columns, which show what the others would. */
function usePaymentColumns() {
  const language = useLanguage()
  const isNarrow = useIsNarrowerThan(900)
  const isMiddle = useIsNarrowerThan(1280)
  return useMemo(() => (isNarrow ? narrowColumns() : wideColumns(isMiddle)), [language, isNarrow, isMiddle])
}

const follow = (changed: () => void) => {
  window.addEventListener("resize", changed)
  return () => window.removeEventListener("resize", changed)
}
const useIsNarrowerThan = (width: number) => useSyncExternalStore(follow, () => window.innerWidth < width)

type Cell = (payment: CryptoPayment) => ReactNode

const column = (name: keyof CryptoPayment, header: string, cell: Cell, options: object = {}) =>
  accessor(name, { id: name, header, cell: ({ row }) => cell(row.original), ...options })

/** At the right in every text direction, so that digits line up; core mirrors its own word for it. */
const money = () => ({ align: direction() === "rtl" ? "left" : "right" })

function sorting(up: "low" | "oldest", down: "high" | "newest") {
  return { enableSorting: true, sortAscLabel: t(`list.sort.${up}`), sortDescLabel: t(`list.sort.${down}`) }
}

function narrowColumns() {
  const amount: Cell = (payment) => (
    <span className="flex max-w-[38vw] flex-col gap-y-1 py-2">
      <PaymentLink payment={payment} className="break-words rtl:text-right [&_*]:whitespace-normal" />
      <Customer customer={payment.customer} />
    </span>
  )
  const status: Cell = (payment) => (
    <Badges payment={payment} className="[&>*]:whitespace-normal">
      <span className="flex flex-wrap gap-x-2">
        {payment.order_id !== null && <OrderLink payment={payment} />}
        <Moment at={payment.created_at} />
      </span>
    </Badges>
  )
  return [
    column("amount", t("common.amount"), amount, sorting("low", "high")),
    column("created_at", t("common.status"), status, sorting("oldest", "newest")),
  ]
}

function wideColumns(isMiddle: boolean) {
  const byDate = sorting("oldest", "newest")
  const amount: Cell = (payment) => (
    <PaymentLink payment={payment} className="items-end py-1 rtl:items-start" />
  )
  const customer: Cell = ({ customer }) => <Customer customer={customer} className="max-w-32 2xl:max-w-56" />
  const net: Cell = (payment) => (
    <span className="flex flex-col items-end rtl:items-start">
      <Amount value={payment.receiving_amount} currency={gatewayCurrency(payment)} />
      {payment.fee_amount !== null && (
        <Amount value={payment.fee_amount} currency={gatewayCurrency(payment)} className={BELOW} />
      )}
    </span>
  )
  const paidAt: Cell = ({ paid_at: at }) => <Moment at={at} none="list.notPaid" />
  return [
    column("state", t("common.status"), (payment) => <Badges payment={payment} />),
    column("amount", t("common.amount"), amount, { ...money(), ...sorting("low", "high") }),
    column("customer", t("list.customer"), customer),
    column("order_id", t("detail.order"), (payment) => <OrderLink payment={payment} />),
    column("receiving_amount", `${t("common.net")} / ${t("common.fee")}`, net, money()),
    column("created_at", t("common.created"), (row) => <Moment at={row.created_at} />, byDate),
    column("paid_at", t("list.filters.paid_at"), paidAt, byDate),
  ].filter(({ id = "" }) => !isMiddle || !["receiving_amount", "paid_at"].includes(id))
}

type CellProps = { payment: CryptoPayment; className?: string }

const Badges = ({ payment, className, children }: PropsWithChildren<CellProps>) => (
  <span className={clx("flex flex-col items-start gap-y-1 py-2", className)}>
    <StateBadge payment={payment} />
    <AttentionBadge payment={payment} />
    {children}
  </span>
)

const BELOW = "txt-compact-xsmall text-ui-fg-subtle whitespace-nowrap"

/** A link for keyboard users; below it the received amount, if it differs, and the coin. */
function PaymentLink({ payment, className }: CellProps) {
  const paid = paidOtherwise(payment)
  return (
    <span className={clx("flex flex-col", className)}>
      <TextLink to={`/crypto-payments/${payment.id}`}>
        <Amount value={payment.amount} currency={payment.currency_code} />
      </TextLink>
      {paid !== null && (
        <span className={clx(BELOW, "text-ui-fg-error")}>{t("list.received", { amount: paid })}</span>
      )}
      {payment.payment_amount !== null && (
        <Amount value={payment.payment_amount} coin={payment.payment_currency} className={BELOW} />
      )}
    </span>
  )
}

const DATES = ["created_at", "paid_at", "refunded_at"] as const
const CURRENCIES = ["currency", "received_currency"] as const
const FILTERS = ["state", "status", "coin", "provider_id", "attention", ...CURRENCIES, ...DATES] as const

const { accessor: filter } = createDataTableFilterHelper<Record<(typeof FILTERS)[number], string>>()

/** @param coins all coins that payers have paid in */
function usePaymentFilters(coins: string[] = []) {
  const dates = useDataTableDateFilters().find((one) => one.type === "date")
  const options = [...(dates?.options ?? []), lastMonth()]
  const providers = (useHealth().data?.providers ?? []).map(({ provider_id }) => provider_id)
  // With what rows say in place of a state.
  const ofState = (value: string) => t(`list.states.${value}`, { defaultValue: t(`state.${value}`) })
  const states = Object.keys(STATE_COLORS).map((value) => ({ value, label: ofState(value) }))
  const statuses = asTheyAre(["PAID", "UNPAID", "PENDING"])
  const ofCoins = [...asTheyAre(coins), { value: "none", label: t("list.filters.noCoin") }]
  const named = providers.map((value) => ({ value, label: providerName(value) }))
  const cases = [
    { value: "open", label: t("list.filters.attentionOpen") },
    { value: "resolved", label: t("list.filters.attentionResolved") },
    { value: "none", label: t("list.filters.attentionNone") },
    ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
  ]
  return [
    filter("state", { type: "multiselect", label: t("common.status"), options: states }),
    filter("status", { type: "multiselect", label: t("common.gatewayStatus"), options: statuses }),
    // The kit's "select" takes several values, and the API takes one.
    filter("attention", { type: "radio", label: t("list.filters.attention"), options: cases }),
    ...CURRENCIES.map((name) =>
      filter(name, { type: "select", label: t(`list.filters.${name}`), options: FIAT })
    ),
    filter("coin", { type: "multiselect", label: t("common.coin"), options: ofCoins }),
    filter("provider_id", { type: "multiselect", label: t("common.provider"), options: named }),
    ...DATES.map((id) => ({ ...dates, type: "date" as const, id, options, label: t(`list.filters.${id}`) })),
  ].filter(({ id }) => id !== "provider_id" || providers.length > 1)
}

function lastMonth() {
  const [year, month] = [new Date().getFullYear(), new Date().getMonth()]
  const [start, end] = [new Date(year, month - 1), new Date(year, month, 1, 0, 0, 0, -1)]
  return { label: t("list.filters.lastMonth"), value: { $gte: start.toISOString(), $lte: end.toISOString() } }
}

const asTheyAre = (values: string[]) => values.map((value) => ({ value, label: value }))
