import type { Settlements } from "../../http-contract"

/** More cannot be told apart: a longer range is drawn in longer periods. */
const MOST_BARS = 124

/**
 * A bar for each period, also without a payment; none of a range with too many. `height` is a percent of the
 * highest. The table has the exact figures.
 */
export function plotBars(report: Settlements, currency: string) {
  const nets = new Map<string, number>()
  for (const row of report.settlements.filter(({ currency_code }) => currency_code === currency)) {
    nets.set(row.period_start, (nets.get(row.period_start) ?? 0) + Number(row.net))
  }
  const highest = Math.max(...nets.values())
  const starts = periodStarts(report)
  const bars = starts.map((start) => {
    const net = nets.get(start) ?? 0
    return { start, net: net.toFixed(4), height: net > 0 ? (100 * net) / highest : 0 }
  })
  return { bars: bars.length > MOST_BARS ? [] : bars, highest: highest.toFixed(4) }
}

/** The first period begins with the range, as in the report; weeks begin on Monday. */
function periodStarts({ period, from, to }: Pick<Settlements, "period" | "from" | "to">): string[] {
  const starts: string[] = []
  const day = new Date(`${from}T00:00:00Z`)
  const end = new Date(`${to}T00:00:00Z`)
  while (day < end) {
    starts.push(day.toISOString().slice(0, 10))
    if (period === "month") {
      day.setUTCMonth(day.getUTCMonth() + 1, 1)
    } else {
      day.setUTCDate(day.getUTCDate() + (period === "week" ? 7 - ((day.getUTCDay() + 6) % 7) : 1))
    }
  }
  return starts
}
