import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useDate } from "@medusajs/dashboard/hooks"
import type { Period, Settlements } from "../../http-contract"
import { get, type Query } from "../shared/admin-api"
import { useUrlState } from "../shared/url-state"

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

export function useSettlements(query: Query, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ["crypto-settlements", query],
    queryFn: async () => await get<Settlements>("/settlements", query),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** A day of a report (`YYYY-MM-DD`) as dates are written everywhere else in the admin. */
export function useDay(): (day: string) => string {
  const { getFullDate } = useDate()
  // Without a time it would be midnight in Greenwich, which is the day before in half of the world.
  return (day) => getFullDate({ date: new Date(`${day}T12:00:00`) }).trim()
}
