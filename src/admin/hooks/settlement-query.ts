import type { Query } from "../lib/admin-api"
import type { Period } from "../lib/contract"
import { useUrlState } from "./url-state"

export interface SettlementChoices {
  period: Period
  setPeriod: (period: string) => void
  currency: string
  setCurrency: (currency: string) => void
  from: string
  setFrom: (date: string) => void
  to: string
  setTo: (date: string) => void
  timeZone: string
}

/** What the report is about, kept in the page's address. Days are those of the reader's own clock. */
export function useSettlementQuery(): SettlementChoices & { query: Query } {
  const [period, setPeriod] = useUrlState("period", "day")
  const [currency, setCurrency] = useUrlState("currency", "all")
  const [from, setFrom] = useUrlState("from", "")
  const [to, setTo] = useUrlState("to", "")
  const known: Period = period === "week" || period === "month" ? period : "day"
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    period: known,
    setPeriod,
    currency,
    setCurrency,
    from,
    setFrom,
    to,
    setTo,
    timeZone,
    query: {
      period: known,
      currency: currency === "all" ? undefined : currency,
      from: from || undefined,
      // People mean the last day they name; the API's end is the day after.
      to: to === "" ? undefined : dayAfter(to),
      time_zone: timeZone,
    },
  }
}

/** The day after a date, both as `YYYY-MM-DD`. */
function dayAfter(date: string): string {
  return shift(date, 1)
}

/** The day before a date. */
export function dayBefore(date: string): string {
  return shift(date, -1)
}

function shift(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) {
    return date
  }
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}
