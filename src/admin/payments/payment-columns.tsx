import { clx, createDataTableColumnHelper } from "@medusajs/ui"
import { type ReactNode, useEffect, useMemo, useState } from "react"
import { Amount, Customer, Moment, OrderLink, TextLink } from "../shared/values"
import { AttentionBadge, StateBadge } from "./payment-summary"
import type { CryptoPayment } from "../../http-contract"
import { gatewayCurrency, paidOtherwise } from "./payment"
import { useWords, type Words } from "../shared/words"

const { accessor } = createDataTableColumnHelper<CryptoPayment>()

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

function column(
  name: keyof CryptoPayment,
  header: string,
  show: (payment: CryptoPayment) => ReactNode,
  options: object = {}
) {
  return accessor(name, { header, cell: ({ row }) => show(row.original), ...options })
}

function sorted(sortAscLabel: string, sortDescLabel: string) {
  return { enableSorting: true as const, sortAscLabel, sortDescLabel }
}

const MONEY = { align: "right" as const }

function narrowColumns(t: Words) {
  return [
    column(
      "amount",
      t("list.columns.amount"),
      (payment) => (
        <span className="flex max-w-40 flex-col gap-y-1 py-2">
          <PaymentLink payment={payment} />
          <Customer customer={payment.customer} />
        </span>
      ),
      sorted(t("list.sort.low"), t("list.sort.high"))
    ),
    column(
      "created_at",
      t("list.columns.status"),
      (payment) => (
        // The longest words have no room in one line.
        <span className="flex flex-col items-start gap-y-1 py-2 [&>*]:whitespace-normal">
          <StateBadge payment={payment} />
          <AttentionBadge payment={payment} />
          <span className="flex gap-x-2">
            {payment.order_id !== null && <OrderLink payment={payment} />}
            <Moment at={payment.created_at} />
          </span>
        </span>
      ),
      sorted(t("list.sort.oldest"), t("list.sort.newest"))
    ),
  ]
}

function wideColumns(t: Words, isSmall: boolean) {
  const byDate = sorted(t("list.sort.oldest"), t("list.sort.newest"))
  const fee = t("list.columns.fee")
  const net = t("list.columns.net")
  return [
    column("state", t("list.columns.status"), (payment) => (
      <span className="flex flex-col items-start gap-y-1 py-2">
        <StateBadge payment={payment} />
        <AttentionBadge payment={payment} />
      </span>
    )),
    column(
      "amount",
      t("list.columns.amount"),
      (payment) => <PaymentLink payment={payment} className="items-end" />,
      { ...MONEY, ...sorted(t("list.sort.low"), t("list.sort.high")) }
    ),
    column("customer", t("list.columns.customer"), (payment) => (
      <Customer customer={payment.customer} className="max-w-32 2xl:max-w-56" />
    )),
    column("order_id", t("list.columns.order"), (payment) => <OrderLink payment={payment} />),
    column(
      "payment_amount",
      t("list.columns.coin"),
      (payment) => <Amount short value={payment.payment_amount} coin={payment.payment_currency} />,
      MONEY
    ),
    ...(isSmall ? [] : [column("fee_amount", fee, (payment) => <Fee payment={payment} />, MONEY)]),
    column(
      "receiving_amount",
      isSmall ? `${net} / ${fee}` : net,
      (payment) => (
        <span className="flex flex-col items-end">
          <Amount value={payment.receiving_amount} currency={gatewayCurrency(payment)} />
          {isSmall && payment.fee_amount !== null && (
            <span className="txt-compact-xsmall text-ui-fg-subtle">
              <Fee payment={payment} />
            </span>
          )}
        </span>
      ),
      MONEY
    ),
    column("created_at", t("list.columns.created"), (payment) => <Moment at={payment.created_at} />, byDate),
    column(
      "last_checked_at",
      t("list.columns.lastCheck"),
      (payment) => <Moment at={payment.last_checked_at} />,
      byDate
    ),
  ]
}

/** A link to the payment for keyboard users; below it the received amount, if it differs. */
function PaymentLink({ payment, className }: { payment: CryptoPayment; className?: string }) {
  const t = useWords()
  const paid = paidOtherwise(payment)
  return (
    <span className={clx("flex flex-col", className)}>
      <TextLink to={`/crypto-payments/${payment.id}`}>
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
