import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { Amount } from "../components/amount"
import { Moment } from "../components/moment"
import { OrderLink } from "../components/order-link"
import { AttentionBadge, StateBadge } from "../components/state-badge"
import type { CryptoPayment } from "../lib/contract"
import { gatewayCurrency } from "../lib/paid-amount"
import { useWords } from "./words"

const column = createDataTableColumnHelper<CryptoPayment>()

/** The ledger's columns. Those the API can sort by have the sort menu's words. */
export function usePaymentColumns() {
  const t = useWords()
  return useMemo(() => {
    const newestFirst = {
      enableSorting: true,
      sortAscLabel: t("list.sort.oldest"),
      sortDescLabel: t("list.sort.newest"),
    }
    return [
      column.accessor("state", {
        header: t("list.columns.status"),
        cell: ({ row }) => <StateBadge state={row.original.state} />,
      }),
      // Beside the status: a phone shows the first two columns, and the others when they are drawn aside.
      column.accessor("amount", {
        header: t("list.columns.amount"),
        enableSorting: true,
        sortAscLabel: t("list.sort.low"),
        sortDescLabel: t("list.sort.high"),
        cell: ({ row }) => <Amount value={row.original.amount} currency={row.original.currency_code} />,
      }),
      column.accessor("attention_since", {
        header: t("list.columns.attention"),
        ...newestFirst,
        cell: ({ row: { original } }) =>
          original.attention_reason === null ? (
            "–"
          ) : (
            <AttentionBadge
              reason={original.attention_reason}
              resolved={original.attention_resolved_at !== null}
            />
          ),
      }),
      column.accessor("payment_amount", {
        header: t("list.columns.coin"),
        cell: ({ row }) => (
          <Amount value={row.original.payment_amount} coin={row.original.payment_currency} />
        ),
      }),
      column.accessor("fee_amount", {
        header: t("list.columns.fee"),
        cell: ({ row }) => (
          <Amount value={row.original.fee_amount} currency={gatewayCurrency(row.original)} />
        ),
      }),
      column.accessor("receiving_amount", {
        header: t("list.columns.net"),
        cell: ({ row }) => (
          <Amount value={row.original.receiving_amount} currency={gatewayCurrency(row.original)} />
        ),
      }),
      column.accessor("order_id", {
        header: t("list.columns.order"),
        cell: ({ row }) => <OrderLink payment={row.original} />,
      }),
      column.accessor("created_at", {
        header: t("list.columns.created"),
        ...newestFirst,
        cell: ({ row }) => <Moment at={row.original.created_at} />,
      }),
      column.accessor("last_checked_at", {
        header: t("list.columns.lastCheck"),
        ...newestFirst,
        cell: ({ row }) => <Moment at={row.original.last_checked_at} />,
      }),
    ]
  }, [t])
}
