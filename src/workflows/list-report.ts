import type { ListGap, PaymentStatus } from "../gateway"
import type { GatewayProblem } from "../modules/crypto-payments/gateway-problem"

/**
 * What was found, and done about it.
 *
 * - `check_requested`: the list says PAID and the ledger did not, or the row's session was not known until now; made due
 * - `adopted`: the answer of its creation was lost; the ledger's row for it now has the id and is due
 * - `inserted`: the ledger had no row for it and has one now, due
 * - `creation_under_way`: its row still waits for the creation's answer, or another run was faster; left alone
 * - `unknown_session`: its note names a payment session neither ledger nor Medusa knows; PAID, it has a row now, due, and
 *   ends on the attention list
 * - `not_listed`: in the ledger and not in the gateway's list; looked for only when the whole list was seen
 * - `unreadable`: its record in the list lacks what decides about money; the ledger's row, if there is one that is not
 *   recorded as paid, was made due, so that the request is read alone. It may be another finding as well
 */
export type ListFinding =
  | "check_requested"
  | "adopted"
  | "inserted"
  | "creation_under_way"
  | "unknown_session"
  | "not_listed"
  | "unreadable"

/** One finding of a comparison: which payment request, and what was done about it. No payer data. */
export interface ListReportRow {
  /** The ledger row's id (`cpreq_…`), null without one. */
  id: string | null
  payment_request_id: string
  finding: ListFinding
  /** What the list said, which decides nothing; null when it was not listed. */
  listed_status: PaymentStatus | null
  /** Of `unreadable`: the wire names of the fields that are wrong, never their values. */
  fields?: readonly string[]
}

/** What a comparison found. Ids, statuses and counts, no payer data; plain JSON. */
export interface ListReport {
  provider_id: string
  started_at: string
  finished_at: string
  /** Whether the whole list was seen. If not, `incomplete_because` says why and nothing is `not_listed`. */
  complete: boolean
  incomplete_because: ListGap[]
  /** Why the gateway could not be read at all. Then nothing was compared, and the report before stays the last one. */
  gateway_problem: GatewayProblem | null
  /** `unreadable` counts the records without an id too, which are not among `rows`. */
  counts: Record<ListFinding, number> & {
    /** Calls of the list, those that failed included. */
    calls: number
    /** Different payment requests the list showed: `known` + `others` + those not known before. */
    listed: number
    /** In the ledger already. */
    known: number
    /** Without a note of ours: other shops on the same account, left alone. */
    others: number
    /** Those of `unknown_session` the list calls PAID: money that ends on the attention list. */
    paid_and_unknown: number
  }
  rows: ListReportRow[]
  /** Findings that are counted but not among `rows`, which are bounded. */
  rows_left_out: number
}

const MAX_ROWS = 1000

/** A report with nothing in it yet. */
export function emptyReport(providerId: string, startedAt: Date): ListReport {
  return {
    provider_id: providerId,
    started_at: startedAt.toISOString(),
    finished_at: startedAt.toISOString(),
    complete: false,
    incomplete_because: [],
    gateway_problem: null,
    counts: {
      calls: 0,
      listed: 0,
      known: 0,
      others: 0,
      check_requested: 0,
      adopted: 0,
      inserted: 0,
      creation_under_way: 0,
      unknown_session: 0,
      paid_and_unknown: 0,
      not_listed: 0,
      unreadable: 0,
    },
    rows: [],
    rows_left_out: 0,
  }
}

/** Counts a finding, and shows it while there is room. */
export function addFinding(report: ListReport, row: ListReportRow): void {
  if (row.finding !== "unreadable") {
    report.counts[row.finding]++
  }
  if (row.finding === "unknown_session" && row.listed_status === "PAID") {
    report.counts.paid_and_unknown++
  }
  if (report.rows.length < MAX_ROWS) {
    report.rows.push(row)
  } else {
    report.rows_left_out++
  }
}
