import { dayBefore } from "./settlement-query"
import type { SettlementTotals } from "../../http-contract"

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
function listAddress(date: "paid_at" | "refunded_at", { from, to, row }: Figures): URLSearchParams {
  const address = new URLSearchParams({
    [date]: JSON.stringify({
      $gte: new Date(`${from}T00:00:00`).toISOString(),
      // The table's filter shows the end of a range only as $lte.
      $lte: new Date(`${dayBefore(to)}T23:59:59.999`).toISOString(),
    }),
    received_currency: JSON.stringify([row.currency_code]),
  })
  if (row.coin !== undefined) {
    address.set("coin", JSON.stringify([row.coin ?? "none"]))
  }
  return address
}

/** Null where there is none. */
export function paymentsOf(figures: Figures): string | null {
  return figures.row.count === 0 ? null : `/crypto-payments?${String(listAddress("paid_at", figures))}`
}

/** The payments of which something was refunded; null where nothing was. */
export function refundedOf(figures: Figures): string | null {
  return figures.row.refund_count === 0
    ? null
    : `/crypto-payments?${String(listAddress("refunded_at", figures))}`
}

/** The payments that are paid and not captured; null where there is none. */
export function notCapturedOf(figures: Figures): string | null {
  if (figures.row.not_captured_count === 0) {
    return null
  }
  const address = listAddress("paid_at", figures)
  address.set("state", JSON.stringify(["paid"]))
  return `/crypto-payments?${String(address)}`
}
