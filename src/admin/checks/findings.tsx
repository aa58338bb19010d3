import { keepPreviousData } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import type { CryptoPayment, CryptoPaymentList } from "../../http-contract"
import { PaymentLink, StateBadge } from "../payments/payment-summary"
import { formatCount } from "../shared/figures"
import { type Column, FigureTable, GroupHeading } from "../shared/layout"
import { Pages } from "../shared/page"
import { PAYMENTS, useRead } from "../shared/queries"
import { Customer, Moment, OrderLink, TextLink } from "../shared/values"
import { t } from "../shared/words"
import type { Found, Kind } from "./results"

const PAGE_SIZE = 20
/** The most that the list takes of them. */
const MOST_IDS = 50

/** All findings of one kind: what they mean, what to do, and a page of them. */
export function Findings({ kind: { name, title, meaning = "", todo, count, open, found } }: { kind: Kind }) {
  const [offset, setOffset] = useState(0)
  const shown = { done: formatCount(found.length), total: formatCount(count) }
  const page = { offset, count: found.length, pageSize: PAGE_SIZE, go: setOffset }
  return (
    <section aria-label={title} data-finding={name} className="divide-y">
      <GroupHeading
        title={title}
        count={found.length < count ? t("common.progress", shown) : shown.total}
        color={open > 0 ? "orange" : "grey"}
        meaning={meaning}
        todo={todo}
      />
      <FoundTable label={title} found={found.slice(offset, offset + PAGE_SIZE)} />
      {found.length > PAGE_SIZE && <Pages {...page} />}
    </section>
  )
}

function FoundTable({ label, found }: { label: string; found: Found[] }) {
  const ids = [...new Set(found.flatMap(({ payments }) => payments))].slice(0, MOST_IDS)
  const options = { enabled: ids.length > 0, placeholderData: keepPreviousData }
  const { data } = useRead<CryptoPaymentList>(PAYMENTS, "", { id: ids, limit: MOST_IDS }, options)
  const known = new Map(data?.crypto_payments.map((payment) => [payment.id, payment]))
  const knownOf = ({ payments }: Found) => payments.flatMap((id) => known.get(id) ?? [])
  const amount = ({ payments, name = t("checks.noPayment") }: Found) =>
    payments.length === 0
      ? lines([<bdi className="break-all">{name}</bdi>])
      : lines(payments.map((id) => <PaymentLink id={id} payment={known.get(id)} />))
  const order = (one: Found) => {
    const own = knownOf(one).map((payment) => <OrderLink payment={payment} />)
    const others = one.orders.filter((id) => knownOf(one).every(({ order_id }) => order_id !== id))
    return lines([...own, ...others.map((id) => <TextLink to={`/orders/${id}`}>{id}</TextLink>)])
  }
  const each = (cell: (payment: CryptoPayment) => ReactNode) => (one: Found) => lines(knownOf(one).map(cell))
  const columns: Column<Found>[] = [
    [t("common.amount"), amount],
    [t("detail.order"), order],
    [t("list.customer"), each(({ customer }) => <Customer customer={customer} />)],
    [t("common.status"), each((payment) => <StateBadge payment={payment} />)],
    [t("checks.date"), each(({ paid_at, created_at }) => <Moment exact at={paid_at ?? created_at} />)],
  ]
  const note = [t("detail.theirs"), ({ note }: Found) => note ?? "–", "whitespace-normal"] as const
  return (
    <FigureTable<Found>
      label={label}
      isStacked
      rows={found}
      rowKey={({ payments, orders, name }) => [...payments, ...orders, name].join()}
      columns={found.some((one) => one.note) ? [...columns, note] : columns}
    />
  )
}

const lines = (cells: ReactNode[]) => (
  <span className="flex flex-col gap-y-1 py-1">
    {cells.map((cell, index) => (
      <span key={index}>{cell}</span>
    ))}
  </span>
)
