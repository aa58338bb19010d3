import { DataTable } from "@medusajs/dashboard/components"
import { Container, Text } from "@medusajs/ui"
import { usePayments, usePaymentTotals } from "./payments"
import { usePaymentColumns } from "./payment-columns"
import { FILTERS, usePaymentFilters } from "./payment-filters"
import { useTableQuery } from "../shared/url-state"
import { useWords } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import { EmptyNotice, LoadError } from "../shared/notices"
import { LedgerTotals } from "./ledger-totals"
import { TextLink } from "../shared/values"

const PAGE_SIZE = 20

/** The ledger. Search, filters, order and page are in the address. */
export function PaymentsTable() {
  const t = useWords()
  const columns = usePaymentColumns()
  const query = useTableQuery(FILTERS, PAGE_SIZE)
  const filters = usePaymentFilters(usePaymentTotals(query).data?.coins)
  const { data, isPending, isError, error, refetch } = usePayments(query)

  if (isError) {
    return (
      <Container className="p-0">
        <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
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
