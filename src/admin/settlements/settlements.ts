import { useDate } from "@medusajs/dashboard/hooks"
import { keepPreviousData } from "@tanstack/react-query"
import type { Settlements, SettlementTotals } from "../../http-contract"
import type { Query } from "../shared/admin-api"
import { useRead } from "../shared/queries"

export function useSettlements(query: Query, enabled = true) {
  return useRead<Settlements>("crypto-settlements", "/settlements", query, {
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The day so many days after or before a date, both as `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) {
    return date
  }
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** A day of a report (`YYYY-MM-DD`) as dates are written everywhere else in the admin. */
export function useDay(): (day: string) => string {
  const { getFullDate } = useDate()
  // Without a time it would be midnight in Greenwich, which is the day before in half of the world.
  return (day) => getFullDate({ date: new Date(`${day}T12:00:00`) }).trim()
}

/** Which figures of a report: of these days, this currency, and this coin if it is a row's and no total's. */
export interface Figures {
  from: string
  /** Exclusive. */
  to: string
  row: SettlementTotals & { coin?: string | null }
}

/**
 * The address of the list with the payments that a figure is made of. Days are those of the reader's own clock, as in
 * the report. Payments count on the day they were paid, and refunds on the day they were registered: one list cannot
 * show both, so that each figure has its own.
 */
export function listAddress(date: "paid_at" | "refunded_at", { from, to, row }: Figures, states?: string[]) {
  const filters = {
    [date]: {
      $gte: new Date(`${from}T00:00:00`).toISOString(),
      // The table's filter shows the end of a range only as $lte.
      $lte: new Date(`${addDays(to, -1)}T23:59:59.999`).toISOString(),
    },
    received_currency: [row.currency_code],
    ...(row.coin === undefined ? {} : { coin: [row.coin ?? "none"] }),
    ...(states === undefined ? {} : { state: states }),
  }
  const inAddress = Object.entries(filters).map(([name, value]) => [name, JSON.stringify(value)])
  return `/crypto-payments?${new URLSearchParams(inAddress).toString()}`
}
