import { clx, createDataTableColumnHelper } from "@medusajs/ui"
import { useEffect, useMemo, useState } from "react"
import { Amount, Customer, Moment, OrderLink, TextLink } from "../shared/values"
import { AttentionBadge, StateBadge } from "./payment-money"
import type { CryptoPayment } from "../../http-contract"
import { gatewayCurrency, needsAttention, paidOtherwise } from "./payment"
import { useWords, type Words } from "../shared/words"

const column = createDataTableColumnHelper<CryptoPayment>()

/**
 * The ledger's columns. Columns by which the API can sort have the labels of the sort menu. A phone has two columns,
 * which show what the others do on a wide screen. A small screen has the fee below the net.
 */
export function usePaymentColumns() {
  const t = useWords()
  const isNarrow = useIsMatching(NARROW)
  const isSmall = useIsMatching(SMALL)
  return useMemo(() => (isNarrow ? narrowColumns(t) : wideColumns(t, isSmall)), [t, isNarrow, isSmall])
}

function sortedByDate(t: Words) {
  return {
    enableSorting: true as const,
    sortAscLabel: t("list.sort.oldest"),
    sortDescLabel: t("list.sort.newest"),
  }
}

function sortedByAmount(t: Words) {
  return {
    enableSorting: true as const,
    sortAscLabel: t("list.sort.low"),
    sortDescLabel: t("list.sort.high"),
  }
}

function narrowColumns(t: Words) {
  return [
    column.accessor("amount", {
      header: t("list.columns.amount"),
      ...sortedByAmount(t),
      cell: ({ row: { original } }) => (
        <span className="flex max-w-40 flex-col gap-y-1 py-2">
          <PaymentLink payment={original} />
          <Customer payment={original} />
        </span>
      ),
    }),
    column.accessor("created_at", {
      header: t("list.columns.status"),
      ...sortedByDate(t),
      cell: ({ row: { original } }) => (
        // The longest words have no room in one line.
        <span className="flex flex-col items-start gap-y-1 py-2 [&>*]:whitespace-normal">
          <StateBadge payment={original} />
          <Case payment={original} />
          <span className="flex gap-x-2">
            {original.order_id !== null && <OrderLink payment={original} />}
            <Moment at={original.created_at} />
          </span>
        </span>
      ),
    }),
  ]
}

function wideColumns(t: Words, isSmall: boolean) {
  const money = { align: "right" as const }
  return [
    column.accessor("state", {
      header: t("list.columns.status"),
      cell: ({ row: { original } }) => (
        <span className="flex flex-col items-start gap-y-1 py-2">
          <StateBadge payment={original} />
          <Case payment={original} />
        </span>
      ),
    }),
    column.accessor("amount", {
      header: t("list.columns.amount"),
      ...money,
      ...sortedByAmount(t),
      cell: ({ row: { original } }) => <PaymentLink payment={original} className="items-end" />,
    }),
    column.accessor("customer", {
      header: t("list.columns.customer"),
      cell: ({ row: { original } }) => <Customer payment={original} className="max-w-32 2xl:max-w-56" />,
    }),
    column.accessor("order_id", {
      header: t("list.columns.order"),
      cell: ({ row: { original } }) => <OrderLink payment={original} />,
    }),
    column.accessor("payment_amount", {
      header: t("list.columns.coin"),
      ...money,
      cell: ({ row: { original } }) => (
        <Amount short value={original.payment_amount} coin={original.payment_currency} />
      ),
    }),
    ...(isSmall
      ? []
      : [
          column.accessor("fee_amount", {
            header: t("list.columns.fee"),
            ...money,
            cell: ({ row: { original } }) => <Fee payment={original} />,
          }),
        ]),
    column.accessor("receiving_amount", {
      header: isSmall ? `${t("list.columns.net")} / ${t("list.columns.fee")}` : t("list.columns.net"),
      ...money,
      cell: ({ row: { original } }) => (
        <span className="flex flex-col items-end">
          <Amount value={original.receiving_amount} currency={gatewayCurrency(original)} />
          {isSmall && original.fee_amount !== null && (
            <span className="txt-compact-xsmall text-ui-fg-subtle">
              <Fee payment={original} />
            </span>
          )}
        </span>
      ),
    }),
    column.accessor("created_at", {
      header: t("list.columns.created"),
      ...sortedByDate(t),
      cell: ({ row: { original } }) => <Moment at={original.created_at} />,
    }),
    column.accessor("last_checked_at", {
      header: t("list.columns.lastCheck"),
      ...sortedByDate(t),
      cell: ({ row: { original } }) => <Moment at={original.last_checked_at} />,
    }),
  ]
}

/** A link to the payment for keyboard users; below it the received amount, if it differs. */
function PaymentLink({ payment, className }: { payment: CryptoPayment; className?: string }) {
  const t = useWords()
  const paid = paidOtherwise(payment)
  return (
    <span className={clx("flex flex-col", className)}>
      <TextLink to={`/crypto-payments/${payment.id}`} onClick={(event) => event.stopPropagation()}>
        <Amount value={payment.amount} currency={payment.currency_code} />
      </TextLink>
      {paid !== null && (
        <span className="txt-compact-xsmall text-ui-fg-error whitespace-nowrap">
          {t("list.received", { amount: paid })}
        </span>
      )}
    </span>
  )
}

function Fee({ payment }: { payment: CryptoPayment }) {
  return <Amount value={payment.fee_amount} currency={gatewayCurrency(payment)} />
}

function Case({ payment }: { payment: CryptoPayment }) {
  return payment.attention_reason === null ? null : (
    <AttentionBadge reason={payment.attention_reason} resolved={!needsAttention(payment)} />
  )
}

/** A phone's window. */
const NARROW = "(max-width: 639px)"
/** One in which the widest rows would not fit: core's side bar takes a part of it. */
const SMALL = "(max-width: 1439px)"

/** Whether the window matches, also after it was resized. */
function useIsMatching(query: string): boolean {
  const [isMatching, setMatching] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const follow = () => setMatching(media.matches)
    media.addEventListener("change", follow)
    return () => media.removeEventListener("change", follow)
  }, [query])
  return isMatching
}
