import { DataTable } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { usePayments } from "../hooks/payments"
import { usePaymentColumns } from "../hooks/payment-columns"
import { FILTERS, usePaymentFilters } from "../hooks/payment-filters"
import { useTableQuery } from "../hooks/url-state"
import { useWords } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import { LoadError } from "./load-error"

const PAGE_SIZE = 20

/** The ledger. Search, filters, order and page are in the address. */
export function PaymentsTable() {
  const t = useWords()
  const columns = usePaymentColumns()
  const filters = usePaymentFilters()
  const query = useTableQuery(FILTERS, PAGE_SIZE)
  const { data, isPending, isError, error, refetch } = usePayments(query)

  if (isError) {
    return (
      <Container className="p-0">
        <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
      </Container>
    )
  }
  return (
    <Container className="divide-y p-0">
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
          empty: { heading: t("list.empty"), description: t("list.emptyHint") },
          filtered: { heading: t("list.filteredEmpty"), description: t("list.filteredEmptyHint") },
        }}
      />
    </Container>
  )
}
