import type { Period, Settlements } from "./contract"

export interface PlotBar {
  /** First day of the period. */
  start: string
  net: string
  /** Percent of the highest bar. */
  height: number
}

// A plot of a thousand bars shows nothing.
const MAX_BARS = 400

/** One bar per period, those without a payment included, the oldest first. */
export function plotBars(report: Settlements, currency: string): PlotBar[] {
  const nets = new Map<string, bigint>()
  for (const row of report.settlements) {
    if (row.currency_code === currency) {
      nets.set(row.period_start, (nets.get(row.period_start) ?? 0n) + toUnits(row.net))
    }
  }
  const highest = [...nets.values()].reduce((most, net) => (net > most ? net : most), 0n)
  return periodStarts(report).map((start) => {
    const net = nets.get(start) ?? 0n
    const height = highest > 0n && net > 0n ? Number((net * 1000n) / highest) / 10 : 0
    return { start, net: fromUnits(net), height }
  })
}

function periodStarts({ period, from, to }: Pick<Settlements, "period" | "from" | "to">): string[] {
  const starts: string[] = []
  const day = firstDayOf(period, new Date(`${from}T00:00:00Z`))
  while (day.toISOString().slice(0, 10) < to && starts.length < MAX_BARS) {
    starts.push(day.toISOString().slice(0, 10))
    if (period === "month") {
      day.setUTCMonth(day.getUTCMonth() + 1)
    } else {
      day.setUTCDate(day.getUTCDate() + (period === "week" ? 7 : 1))
    }
  }
  return starts
}

/** Weeks begin on Monday, as in the report. */
function firstDayOf(period: Period, date: Date): Date {
  const day = new Date(date)
  if (period === "week") {
    day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  } else if (period === "month") {
    day.setUTCDate(1)
  }
  return day
}

/** The figures are exact: as many decimals as the gateway may send. */
const DECIMALS = 40

function toUnits(amount: string): bigint {
  const [whole = "", decimals = ""] = amount.split(".")
  return BigInt(whole + decimals.padEnd(DECIMALS, "0"))
}

function fromUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, "0")
  return `${units < 0n ? "-" : ""}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
