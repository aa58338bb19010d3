import { addDays, useDay, useSettlements } from "./settlements"
import { useWords } from "../shared/words"
import type { Query } from "../shared/admin-api"
import type { Settlements } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { plotBars, plotPeriod } from "./plot-bars"

interface PlotsProps {
  report: Settlements
  /** The query of the report. */
  query: Query
}

/** A plot for each currency. A range of too many periods is drawn in longer ones, whose sums the store adds up. */
export function SettlementsPlots({ report, query }: PlotsProps) {
  const period = plotPeriod(report)
  const { data } = useSettlements(
    { ...query, from: report.from, to: report.to, period },
    period !== report.period
  )
  const drawn = period === report.period ? report : data
  const isDrawn = drawn?.period === period && drawn.from === report.from && drawn.to === report.to
  return isDrawn
    ? report.totals.map(({ currency_code }) => (
        <SettlementsPlot key={currency_code} report={drawn} currency={currency_code} />
      ))
    : null
}

/** Net per period, as bars. The table below has the same figures exactly; heights are for the eye. */
function SettlementsPlot({ report, currency }: { report: Settlements; currency: string }) {
  const t = useWords()
  const toDay = useDay()
  const { bars, top } = plotBars(report, currency)
  const title = t(`settlements.plot.${report.period}`, { currency: currency.toUpperCase() })
  return (
    <figure aria-label={title} className="px-6 py-4">
      <figcaption className="txt-compact-small-plus pb-3">{title}</figcaption>
      <div dir="ltr" className="flex gap-x-3">
        <div className="relative min-w-0 flex-1">
          <div aria-hidden className="absolute inset-0 flex flex-col justify-between">
            <div className="border-ui-border-base border-t" />
            <div className="border-ui-border-base border-t" />
            <div className="border-ui-border-strong border-t" />
          </div>
          <ol className="relative flex h-32 items-end gap-x-px md:gap-x-1">
            {bars.map(({ start, net, height }) => {
              const words = t("settlements.plotBar", {
                period: toDay(start),
                amount: formatFiat(net, currency),
              })
              return (
                <li key={start} title={words} className="group flex h-full min-w-0 flex-1 items-end">
                  <span
                    aria-hidden
                    className="bg-ui-tag-blue-icon group-hover:bg-ui-fg-interactive-hover w-full rounded-t-sm"
                    style={{ height: height === 0 ? "1px" : `${String(Math.max(height, 2))}%` }}
                  />
                  <span className="sr-only">{words}</span>
                </li>
              )
            })}
          </ol>
        </div>
        <div
          aria-hidden
          className="txt-compact-xsmall text-ui-fg-subtle flex h-32 flex-col justify-between tabular-nums"
        >
          <span className="-translate-y-1/2">{formatFiat(top, currency)}</span>
          <span className="translate-y-1/2">0</span>
        </div>
      </div>
      <div aria-hidden dir="ltr" className="txt-compact-xsmall text-ui-fg-subtle flex justify-between pt-2">
        <span dir="auto">{toDay(report.from)}</span>
        <span dir="auto">{toDay(addDays(report.to, -1))}</span>
      </div>
    </figure>
  )
}
