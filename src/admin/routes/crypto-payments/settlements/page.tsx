import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useDate } from "@medusajs/dashboard/hooks"
import { clx, Input } from "@medusajs/ui"
import { keepPreviousData } from "@tanstack/react-query"
import { type ChangeEvent, type ReactNode, useState } from "react"
import type { SettlementRow, Settlements } from "../../../../http-contract"
import { plotBars } from "../../../settlements/plot-bars"
import { FIAT, formatCount, formatFiat } from "../../../shared/figures"
import { Choice, FormField } from "../../../shared/form"
import { Action, type Column, FIGURE, FigureTable, SectionHeading } from "../../../shared/layout"
import { CardPage, EmptyNotice, guarded, Loaded, named } from "../../../shared/page"
import { useExport, useRead, useUrlState } from "../../../shared/queries"
import { Amount, TextLink } from "../../../shared/values"
import { monthName, t } from "../../../shared/words"

const PERIODS = ["day", "week", "month"]

export default guarded(function SettlementsPage() {
  const [inAddress, setPeriod] = useUrlState("period", "day")
  const [currency, setCurrency] = useUrlState("currency", "all")
  const [from, setFrom] = useUrlState("from", "")
  const [to, setTo] = useUrlState("to", "")
  const period = PERIODS.includes(inAddress) ? inAddress : "day"
  // Days are those of the reader's own clock.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const query = {
    period,
    currency: currency === "all" ? undefined : currency,
    from,
    // People mean the last day they name; the API's end is the day after.
    to: addDays(to, 1),
    time_zone: timeZone,
  }
  const subtitle = t("settlements.subtitle", { zone: timeZone })
  const options = { placeholderData: keepPreviousData, retry: false }
  const report = useRead<Settlements>("crypto-settlements", "/settlements", query, options)
  const file = useExport("/settlements/export", query)
  const { from: firstDay = "", to: end = "" } = report.data ?? {}
  const asked = { time_zone: timeZone, from: firstDay, to: end, received_currency: query.currency }
  const payments = useExport("/export", asked)
  const [first, last] = [from || firstDay, to || addDays(end, -1)]
  const months = recentMonths()
  const month = months.find(({ value }) => value === `${first}/${last}`)?.value ?? ""
  const chooseMonth = (days: string) => setFrom(days.slice(0, 10), { to: days.slice(11) })
  const periods = PERIODS.map((value) => ({ value, label: t(`settlements.periods.${value}`) }))
  const currencies = [{ value: "all", label: t("settlements.allCurrencies") }, ...FIAT]
  const isUnread = firstDay === "" || report.isPlaceholderData
  return (
    <CardPage zone="settlements" id="CryptoSettlements">
      <div>
        <SectionHeading level="h1" title={t("nav.settlements")} subtitle={subtitle}>
          <Action {...payments} label={t("settlements.exportPayments")} disabled={isUnread} />
          <Action {...file} label={t("settlements.exportTotals")} />
        </SectionHeading>
        <div className="grid grid-cols-2 gap-3 px-6 pb-4 min-[900px]:grid-cols-[4fr_repeat(4,3fr)] max-[899px]:[&>:first-child]:col-span-2">
          <FormField label={t("settlements.periods.month")}>
            {(field) => <Choice {...field} value={month} onChange={chooseMonth} options={months} />}
          </FormField>
          <FormField label={t("settlements.groupBy")}>
            {(field) => <Choice {...field} value={period} onChange={setPeriod} options={periods} />}
          </FormField>
          <FormField label={t("detail.fields.currency")}>
            {(field) => <Choice {...field} value={currency} onChange={setCurrency} options={currencies} />}
          </FormField>
          <Day label={t("common.from")} value={first} onChange={setFrom} />
          <Day label={t("common.until")} value={last} onChange={setTo} />
        </div>
      </div>
      <Loaded query={report}>{(data) => <SettlementsReport report={data} />}</Loaded>
    </CardPage>
  )
})

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  // While a year is typed, its first digits are a year of long ago.
  const [typed, setTyped] = useState<string | null>(null)
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setTyped(target.value)
    if (target.validity.valid) {
      onChange(target.value)
    }
  }
  const input = { value: typed ?? value, onChange: take, onBlur: () => setTyped(null) }
  return (
    <FormField label={label}>
      {(field) => <Input {...field} {...input} type="date" min="2000-01-01" max="9999-12-31" size="small" />}
    </FormField>
  )
}

/** This month and the twelve before it, by their first and their last day. */
function recentMonths() {
  const [year, month] = [new Date().getFullYear(), new Date().getMonth()]
  const dayOf = (of: number, day: number) => new Date(Date.UTC(year, of, day)).toISOString().slice(0, 10)
  return Array.from({ length: 13 }, (_, ago) => {
    const [first, last] = [dayOf(month - ago, 1), dayOf(month - ago + 1, 0)]
    return { value: `${first}/${last}`, label: monthName(first) }
  })
}

/** Dates are `YYYY-MM-DD`. What is no date stays as it is. */
function addDays(date: string, days: number): string {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) ? date : new Date(at + days * 86_400_000).toISOString().slice(0, 10)
}

/** A day of a report (`YYYY-MM-DD`), formatted as dates are elsewhere in the admin. */
function useDay(): (day: string) => string {
  const { getFullDate } = useDate()
  // Without a time it would be midnight in Greenwich, which is the previous day in half of the world.
  return (day) => getFullDate({ date: new Date(`${day}T12:00:00`) }).trim()
}

type Figures = Omit<SettlementRow, "coin"> & Partial<Pick<SettlementRow, "coin">>

/** A figure that leads to its payments. They count on the day they were paid, and refunds when they were registered. */
function linked(figure: ReactNode, date: "paid_at" | "refunded_at", row: Figures, states?: string[]) {
  const { period_start: from, period_end: to, currency_code, coin } = row
  const at = (time: string) => new Date(time).toISOString()
  const filters = {
    [date]: { $gte: at(`${from}T00:00:00`), $lte: at(`${addDays(to, -1)}T23:59:59.999`) },
    received_currency: [currency_code],
    ...(coin !== undefined && { coin: [coin ?? "none"] }),
    ...(states && { state: states }),
  }
  const inAddress = Object.entries(filters).map(([name, value]) => [name, JSON.stringify(value)])
  return <TextLink to={`/crypto-payments?${new URLSearchParams(inAddress).toString()}`}>{figure}</TextLink>
}

function SettlementsReport({ report }: { report: Settlements }) {
  const toDay = useDay()
  const { from, to, totals, settlements } = report
  const period = ({ period_start, period_end }: Figures) =>
    [...new Set([period_start, addDays(period_end, -1)])]
      .map((day) => toDay(day).replaceAll(" ", "\u00a0"))
      .join(" – ")
  const total = (row: Figures) => `${t("settlements.total")} ${row.currency_code.toUpperCase()}`
  const notCaptured = (row: Figures) =>
    row.not_captured_count === 0 ? "–" : linked(money("not_captured")(row), "paid_at", row, ["paid"])
  const payments = (row: Figures) => (row.count === 0 ? 0 : linked(formatCount(row.count), "paid_at", row))
  const refunded = (row: Figures) =>
    row.refund_count === 0 ? money("refunded")(row) : linked(money("refunded")(row), "refunded_at", row)
  const figures: Column<Figures>[] = [
    [t("settlements.payments"), payments, FIGURE],
    [t("settlements.gross"), money("gross"), FIGURE],
    [t("settlements.fees"), money("fees"), FIGURE, t("settlements.feesHint")],
    [t("common.net"), money("net"), FIGURE],
    [t("common.refunded"), refunded, FIGURE],
  ]
  return settlements.length === 0 ? (
    <EmptyNotice title={t("settlements.empty")} hint={t("settlements.emptyHint")} />
  ) : (
    <>
      <FigureTable<Figures>
        label={t("settlements.totals")}
        rows={totals.map((row) => ({ ...row, period_start: from, period_end: to }))}
        rowKey={({ currency_code }) => currency_code}
        columns={[
          [t("detail.fields.currency"), total, "txt-compact-small-plus"],
          ...figures,
          [t("settlements.notCaptured"), notCaptured, FIGURE],
        ]}
      />
      {totals.map(({ currency_code: currency }) => (
        <SettlementsPlot key={currency} report={report} currency={currency} />
      ))}
      <FigureTable<Figures>
        label={t("nav.settlements")}
        rows={settlements}
        rowKey={({ period_start, currency_code, coin }) => `${period_start}-${currency_code}-${coin ?? ""}`}
        columns={[
          [t("settlements.period"), period],
          [t("detail.fields.currency"), ({ currency_code }) => currency_code.toUpperCase()],
          [t("common.coin"), ({ coin }) => coin ?? "–"],
          ...figures,
        ]}
      />
    </>
  )
}

const money = (name: "gross" | "fees" | "net" | "refunded" | "not_captured") => (figures: Figures) => (
  <Amount value={figures[name]} currency={figures.currency_code} />
)

const SCALE = "txt-compact-xsmall text-ui-fg-subtle flex flex-wrap justify-between gap-x-3"

/** Net per period, as bars. The table below has the exact figures. */
function SettlementsPlot({ report, currency }: { report: Settlements; currency: string }) {
  const toDay = useDay()
  const { bars, highest } = plotBars(report, currency)
  // A single bar would say nothing that the total above it does not.
  if (bars.length < 2) {
    return null
  }
  const title = t(`settlements.plot.${report.period}`, { currency: currency.toUpperCase() })
  return (
    <figure aria-label={title} className="px-6 py-4">
      <figcaption className={clx(SCALE, "pb-3")}>
        <span className="txt-compact-small-plus text-ui-fg-base">{title}</span>
        <span>{t("settlements.highest", { amount: formatFiat(highest, currency) })}</span>
      </figcaption>
      <ol dir="ltr" className="border-ui-border-strong flex h-32 items-end gap-x-px border-b md:gap-x-1">
        {bars.map(({ start, net, height }) => {
          const amount = formatFiat(net, currency)
          const words = t("settlements.plotBar", { period: toDay(start), amount })
          return (
            <li key={start} title={words} className="group flex h-full min-w-0 flex-1 items-end">
              <span
                aria-hidden
                className="bg-ui-tag-blue-icon group-hover:bg-ui-fg-interactive-hover mx-auto w-full max-w-12 rounded-t-sm"
                style={{ height: height === 0 ? "1px" : `${String(Math.max(height, 2))}%` }}
              />
              <span className="sr-only">{words}</span>
            </li>
          )
        })}
      </ol>
      <div aria-hidden dir="ltr" className={clx(SCALE, "pt-2")}>
        <span dir="auto">{toDay(report.from)}</span>
        <span dir="auto">{toDay(addDays(report.to, -1))}</span>
      </div>
    </figure>
  )
}

export const config = defineRouteConfig({
  label: "nav.settlements",
  translationNs: "cryptoPayments",
  rank: 2,
})

export const handle = named("nav.settlements")
