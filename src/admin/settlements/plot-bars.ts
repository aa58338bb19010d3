import type { Period, Settlements } from "../../http-contract"

type Range = Pick<Settlements, "period" | "from" | "to">

/** How many bars can be told apart. A longer range of days is drawn in weeks, of weeks in months. */
const MOST_BARS = { day: 92, week: 106 }

export function plotPeriod({ period, from, to }: Range): Period {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
  const longer = period !== "month" && days / 7 <= MOST_BARS.week ? "week" : "month"
  return period === "day" && days <= MOST_BARS.day ? "day" : longer
}

/** A bar for each period, also without a payment. `height` is a percent of the scale, whose `top` is a round figure. */
export function plotBars(report: Settlements, currency: string) {
  const nets = new Map<string, bigint>()
  for (const row of report.settlements.filter(({ currency_code }) => currency_code === currency)) {
    nets.set(row.period_start, (nets.get(row.period_start) ?? 0n) + toUnits(row.net))
  }
  const highest = [...nets.values()].reduce((most, net) => (net > most ? net : most), 0n)
  const top = roundUp(highest)
  const bars = periodStarts(report).map((start) => {
    const net = nets.get(start) ?? 0n
    const height = top > 0n && net > 0n ? Number((net * 1000n) / top) / 10 : 0
    return { start, net: fromUnits(net), height }
  })
  return { bars, top: fromUnits(top) }
}

/** The first period begins with the range, as in the report; weeks begin on Monday. */
function periodStarts({ period, from, to }: Range): string[] {
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

/** As many decimals as the gateway may send. */
const DECIMALS = 40
const ONE = 10n ** BigInt(DECIMALS)

/** To 1, 2 or 5 followed by zeros; at least one whole unit. */
function roundUp(units: bigint): bigint {
  let step = ONE
  while (step * 10n < units) {
    step *= 10n
  }
  return [0n, 1n, 2n, 5n, 10n].map((times) => times * step).find((round) => round >= units) ?? units
}

function toUnits(amount: string): bigint {
  const [whole = "", decimals = ""] = amount.split(".")
  return BigInt(whole + decimals.padEnd(DECIMALS, "0"))
}

function fromUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, "0")
  return `${units < 0n ? "-" : ""}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
