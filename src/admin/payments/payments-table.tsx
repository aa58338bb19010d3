import { DataTable } from "@medusajs/dashboard/components"
import { Container, Text } from "@medusajs/ui"
import type { Query } from "../shared/admin-api"
import { formatCount, formatFiat } from "../shared/figures"
import { EmptyNotice, LoadError } from "../shared/notices"
import { useTableQuery } from "../shared/url-state"
import { TextLink } from "../shared/values"
import { useWords } from "../shared/words"
import { usePaymentColumns } from "./payment-columns"
import { FILTERS, usePaymentFilters } from "./payment-filters"
import { usePayments, usePaymentTotals } from "./payments"

const PAGE_SIZE = 20

/** The ledger. Search, filters, order and page are in the address. */
export function PaymentsTable() {
  const t = useWords()
  const columns = usePaymentColumns()
  const query = useTableQuery(FILTERS, PAGE_SIZE)
  const filters = usePaymentFilters(usePaymentTotals(query).data?.coins)
  const { data, isPending, error, refetch } = usePayments(query)

  if (error !== null) {
    return (
      <Container className="p-0">
        <LoadError problem={error} onRetry={() => void refetch()} />
      </Container>
    )
  }
  return (
    // Core keeps a line for chosen filters, also while none is chosen. Its space between columns is for wide screens, and
    // its outer cells have their space at the left and the right, whichever way the table runs.
    <Container className="divide-y p-0 max-2xl:[&_:is(td,th):not(:first-child,:last-child)]:pr-4 rtl:[&_tr>*:first-child]:pl-0 rtl:[&_tr>*:last-child]:pl-6 rtl:[&_tr>*:last-child]:pr-4 [&_.border-t:has(>div:only-child:empty)]:hidden">
      <DataTable
        headingLevel="h2"
        heading={t("list.title")}
        data={data?.crypto_payments ?? []}
        columns={columns}
        filters={filters}
        getRowId={({ id }) => id}
        rowCount={data?.count ?? 0}
        rowHref={({ id }) => `/crypto-payments/${id}`}
        pageSize={PAGE_SIZE}
        isLoading={isPending}
        emptyState={{
          empty: {
            custom: (
              <EmptyNotice title={t("list.empty")} hint={t("list.emptyHint")}>
                <Text size="small">
                  <TextLink to="/settings/crypto-payments">{t("list.checkSettings")}</TextLink>
                </Text>
              </EmptyNotice>
            ),
          },
          filtered: {
            custom: <EmptyNotice title={t("list.filteredEmpty")} hint={t("list.filteredEmptyHint")} />,
          },
        }}
      />
      <LedgerTotals query={query} />
    </Container>
  )
}

/** What all rows of the filter come to, not only those of the page: a line for each currency. */
function LedgerTotals({ query }: { query: Query }) {
  const t = useWords()
  const { data } = usePaymentTotals(query)
  if (data?.totals === undefined || data.count === 0) {
    return null
  }
  return (
    <dl
      aria-label={t("list.totals.label")}
      className="txt-compact-small text-ui-fg-subtle flex flex-wrap gap-x-8 gap-y-1 px-6 py-3"
    >
      <dt className="txt-compact-small-plus">
        {t("list.totals.count", { count: data.count, number: formatCount(data.count) })}
      </dt>
      {data.totals.map(({ currency_code: currency, amount, received, refunded }) => (
        <dd key={currency} className="tabular-nums">
          {[
            t("list.totals.asked", { amount: formatFiat(amount, currency) }),
            t("list.totals.received", { amount: formatFiat(received, currency) }),
            ...(/[1-9]/.test(refunded)
              ? [t("list.totals.refunded", { amount: formatFiat(refunded, currency) })]
              : []),
          ].join(" · ")}
        </dd>
      ))}
    </dl>
  )
}
