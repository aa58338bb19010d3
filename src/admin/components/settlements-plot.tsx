import { useWords } from "../hooks/words"
import type { Settlements } from "../lib/contract"
import { formatFiat } from "../lib/format-amount"
import { plotBars } from "../lib/plot-bars"

/** Net per period, as bars. The table below has the same figures exactly; heights are for the eye. */
export function SettlementsPlot({ report, currency }: { report: Settlements; currency: string }) {
  const t = useWords()
  const bars = plotBars(report, currency)
  const title = t(`settlements.plot.${report.period}`, { currency: currency.toUpperCase() })
  return (
    <figure aria-label={title} className="px-6 py-4">
      <figcaption className="txt-compact-small-plus pb-3">{title}</figcaption>
      <ol className="flex h-32 items-end gap-x-px md:gap-x-1" dir="ltr">
        {bars.map(({ start, net, height }) => {
          const words = t("settlements.plotBar", { period: start, amount: formatFiat(net, currency) })
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
      <div aria-hidden dir="ltr" className="txt-compact-xsmall text-ui-fg-subtle flex justify-between pt-2">
        <span>{bars[0]?.start}</span>
        <span>{bars[bars.length - 1]?.start}</span>
      </div>
    </figure>
  )
}
