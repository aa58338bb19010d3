import type { ListGap, PaymentStatus } from "../../../gateway"
import type { GatewayProblem } from "../gateway-problem"

/**
 * What was found, and done about it.
 *
 * - `check_requested`: PAID only in the list; made due
 * - `adopted`: the answer of its creation was lost; its row has the id now and is due
 * - `creation_under_way`: its row still waits for the creation's answer, or another run was faster; left alone
 * - `unknown_session`: its note names a payment session without a row; if PAID, it has a row now and becomes a case
 * - `not_listed`: it has a row and is not in the gateway's list; looked for only when the whole list was seen
 * - `unreadable`: its record in the list lacks what decides about money; its row, unless recorded as paid, was made due
 *   so that the request is read alone. It may be another finding as well
 */
export type ListFinding = Exclude<
  keyof typeof NO_COUNTS,
  "calls" | "listed" | "known" | "others" | "paid_and_unknown"
>

/** One finding of a comparison. No payer data. */
export interface ListReportRow {
  /** Null without a row. */
  id: string | null
  payment_request_id: string
  finding: ListFinding
  /** What the list said, which decides nothing. */
  listed_status: PaymentStatus | null
  /** For `unreadable`: the wire names of the fields that are wrong, never their values. */
  fields?: readonly string[]
}

const NO_COUNTS = {
  /** Requested pages, failed ones too. */
  calls: 0,
  /** Different payment requests in the list: `known` + `others` + new ones. */
  listed: 0,
  /** With a row already. */
  known: 0,
  /** Without a note of ours: other shops on the same account, left alone. */
  others: 0,
  check_requested: 0,
  adopted: 0,
  creation_under_way: 0,
  unknown_session: 0,
  /** The PAID ones of `unknown_session`: they become cases. */
  paid_and_unknown: 0,
  not_listed: 0,
  unreadable: 0,
}

/** Ids, statuses and counts, no payer data; plain JSON. */
export interface ListReport {
  provider_id: string
  started_at: string
  finished_at: string
  /** Whether the whole list was seen. If not, `incomplete_because` says why and nothing is `not_listed`. */
  complete: boolean
  incomplete_because: ListGap[]
  /** Why the gateway could not be read at all. Then nothing was compared, and the last report stays. */
  gateway_problem: GatewayProblem | null
  /** `unreadable` includes records without an id, which are not in `rows`. */
  counts: typeof NO_COUNTS
  rows: ListReportRow[]
  /** Findings that are counted but left out of `rows`, whose number is limited. */
  rows_left_out: number
}

const MAX_ROWS = 1000

type Findings = Pick<ListReport, "counts" | "rows" | "rows_left_out">

export function noFindings(): Findings {
  return { counts: { ...NO_COUNTS }, rows: [], rows_left_out: 0 }
}

export function addFinding(report: Findings, row: ListReportRow): void {
  report.counts[row.finding]++
  if (row.finding === "unknown_session" && row.listed_status === "PAID") {
    report.counts.paid_and_unknown++
  }
  if (report.rows.length < MAX_ROWS) {
    report.rows.push(row)
  } else {
    report.rows_left_out++
  }
}
