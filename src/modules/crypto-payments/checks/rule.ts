import { MOST_UNENDED_LATE } from "../../../decision"
import {
  HAS_CASE_OF_MONEY,
  HAS_CASE_THAT_EXPLAINS_MONEY,
  IS_CRYPTO,
  REGISTERED_REFUND,
  REQUESTS,
} from "../payment-requests/request-sql"

/** What is wrong with stored rows, and how the audit finds it. docs/audit.md says what a merchant does about it. */
export interface Rule {
  /** Of the rule's section in docs/audit.md. */
  name: string
  /** What is wrong, for the merchant. */
  message: string
  /** Selects what breaks the rule, one row per finding: `request_ids` and `order_ids`, two arrays of text. */
  sql: string
  /** Whether it is a finding, by what core says that its order owes, and what its `claimed` says it owes. */
  judge?: (owed: string, claimed: string) => boolean
}

/**
 * A store settles during an audit, so the rules judge only rows at rest. A row that a settle holds, or that is checked
 * soon, is left to that settle. A row that is never at rest is found by its age.
 */

/**
 * No settle holds the row. A settle leases a row for half a minute at a time: a lease that ends much later was written
 * by a script, SQL or a wrong clock. The product leaves such a row alone until the lease ends.
 */
export const IS_NOT_HELD = "(r.lease_until BETWEEN now() AND now() + interval '10 minutes') IS NOT TRUE"

/**
 * No settle works on the row now or within the next minutes. A row that is ten minutes overdue shows that no schedule
 * runs. A row that was paid an hour ago and is not settled, or whose settles fail, is always due or held.
 */
export const IS_AT_REST = `((${IS_NOT_HELD} AND (r.next_check_at IS NULL
  OR r.next_check_at NOT BETWEEN now() - interval '10 minutes' AND now() + interval '10 minutes'))
  OR COALESCE(r.paid_at <= now() - interval '1 hour' AND (r.settled_at IS NULL OR r.settles_begun > ${String(MOST_UNENDED_LATE)}), false))`

/** The case is open, or an admin user closed it with a note: the admin requires one, a script may omit it. */
const IS_OPEN_OR_NOTED = (row: string): string =>
  `(${row}.attention_resolved_at IS NULL OR btrim(COALESCE(${row}.attention_note, '')) <> '')`

/** A case of the product's explains the money, unless it was closed without a note. */
export const IS_EXPLAINED = `(${HAS_CASE_THAT_EXPLAINS_MONEY} AND ${IS_OPEN_OR_NOTED("r")})`
export const IS_TOLD_AS = (row: string, reasons: string): string =>
  `(COALESCE(${row}.attention_reason IN (${reasons}), false) AND ${IS_OPEN_OR_NOTED(row)})`

export const IS_SENT_BACK = `(r.state = 'refunded'
  OR COALESCE(r.refund_registered_at IS NOT NULL AND ${REGISTERED_REFUND} >= round(r.gateway_amount::numeric, 2), false))`

export const CAPTURES =
  "payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL AND p.deleted_at IS NULL"

/** What was captured of the row; null when nothing was. */
export const CAPTURED_SUM = `(
  SELECT round(SUM(cap.amount), 2) FROM ${CAPTURES} WHERE p.payment_session_id = r.paid_session_id)`
export const IS_CAPTURED = `(${CAPTURED_SUM} IS NOT NULL)`

/** A value of the order `o` that the last settle found, if it is not deleted. @param id of another order */
export const OF_ORDER = (value: string, id = "r.order_id"): string =>
  `(SELECT ${value} FROM "order" o WHERE o.id = ${id} AND o.deleted_at IS NULL)`

export const IS_CRYPTO_PAYMENT = IS_CRYPTO("p.provider_id")

export const IDS = "ARRAY[r.id] AS request_ids, array_remove(ARRAY[r.order_id], NULL) AS order_ids"

/** One finding for each row that meets the conditions, in this order: the cheap ones first. */
export const REQUESTS_WHERE = (...conditions: string[]): string =>
  `SELECT ${IDS} FROM ${REQUESTS} r WHERE r.deleted_at IS NULL AND ${conditions.join(" AND ")}`

/** No settle works on the row, and no case tells of its money. */
export const IS_UNTOLD = `NOT (${HAS_CASE_OF_MONEY} AND ${IS_OPEN_OR_NOTED("r")}) AND ${IS_AT_REST}`

/** The same, and the money is captured and was not sent back. */
export const IS_KEPT_UNTOLD = `r.paid_session_id IS NOT NULL AND ${IS_UNTOLD} AND ${IS_CAPTURED} AND NOT ${IS_SENT_BACK}`
