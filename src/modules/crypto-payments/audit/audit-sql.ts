import { MOST_UNENDED_LATE } from "../../../decision"
import {
  HAS_CASE_OF_MONEY,
  HAS_CASE_THAT_EXPLAINS_MONEY,
  IS_CANCELED,
  ORDER_OF_REQUEST,
  REGISTERED_REFUND,
} from "../payment-requests/request-sql"

/** What is wrong with stored rows, and how it is found. docs/audit.md says what to do about it. */
export interface AuditRule {
  /** The name in reports, events and the docs. */
  name: string
  /** The invariant of the design that it proves. */
  invariant: "I1" | "I2" | "I3" | "I4" | "I5" | "I6" | "I7"
  /** What is wrong, for the merchant. */
  message: string
  /**
   * Selects what breaks the rule: `request_ids` and `order_ids`, two arrays of text, one line per finding, and
   * `provider_id` where the finding is about a provider, and nothing else. It may use the binding `:registered`, an
   * array of the providers that medusa-config registers. It only reads.
   */
  sql: string
}

/** Rules by their names. */
export type AuditRules = Record<string, Omit<AuditRule, "name">>

/**
 * Conditions of several rules on a row `r` of `crypto_payment_request`.
 *
 * A store settles while it is audited. A row that a settle holds, or that is about to be looked at, is left to that
 * settle: the rules below judge rows at rest. A row that is never at rest is found by its age.
 */

/**
 * No settle holds the row. A settle holds it for two minutes at a time, so that a lease which ends much later is no
 * settle's: a script, SQL or a wrong clock wrote it. The product leaves such a row alone until the lease ends.
 */
export const IS_NOT_HELD = "(r.lease_until BETWEEN now() AND now() + interval '10 minutes') IS NOT TRUE"

/**
 * No settle works on the row now or within the next minutes. Overdue by ten minutes means that no schedule runs. A row
 * that was paid an hour ago and is not settled, or whose settles fail, is due all the time or held, and no settle
 * brings it to an end.
 */
export const IS_AT_REST = `((${IS_NOT_HELD} AND (r.next_check_at IS NULL
  OR r.next_check_at NOT BETWEEN now() - interval '10 minutes' AND now() + interval '10 minutes'))
  OR COALESCE(r.paid_at <= now() - interval '1 hour' AND (r.settled_at IS NULL OR r.settles_begun > ${String(MOST_UNENDED_LATE)}), false))`

/** The case is open, or an admin user has closed it: the admin asks for a note, and a script may leave it out. */
const IS_OPEN_OR_NOTED = (row: string): string =>
  `(${row}.attention_resolved_at IS NULL OR btrim(COALESCE(${row}.attention_note, '')) <> '')`

/** A case of the product's that explains the money, unless it was closed without a note. */
export const IS_TOLD_OF_MONEY = `(${HAS_CASE_OF_MONEY} AND ${IS_OPEN_OR_NOTED("r")})`
export const IS_EXPLAINED = `(${HAS_CASE_THAT_EXPLAINS_MONEY} AND ${IS_OPEN_OR_NOTED("r")})`
/** Nothing has to follow: an admin user has dealt with the money, and says how. */
export const IS_CLOSED_WITH_NOTE = `(${IS_TOLD_OF_MONEY} AND r.attention_resolved_at IS NOT NULL)`

/** A case of one of these reasons tells of the row. */
export const IS_TOLD_AS = (row: string, reasons: string): string =>
  `(COALESCE(${row}.attention_reason IN (${reasons}), false) AND ${IS_OPEN_OR_NOTED(row)})`

/** All that was received is registered as sent back. */
export const IS_SENT_BACK = `(r.state = 'refunded'
  OR COALESCE(r.refund_registered_at IS NOT NULL AND ${REGISTERED_REFUND} >= round(r.gateway_amount::numeric, 2), false))`

/** Payments `p` with their captures `cap`. */
export const CAPTURES = "payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL"

/** Medusa has a capture for the row. */
export const IS_CAPTURED = `EXISTS (
  SELECT 1 FROM ${CAPTURES} WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL)`

/** The order that was placed for the row, as `placed` with its id and whether it is cancelled. */
export const PLACED_ORDER = `
  SELECT o.id, ${IS_CANCELED} AS is_canceled
    FROM "order" o WHERE o.id = ${ORDER_OF_REQUEST} AND o.deleted_at IS NULL`

/** A payment `p` that one of our providers made. */
export const IS_CRYPTO_PAYMENT = "p.provider_id LIKE 'pp\\_crypto\\_%'"

/** The ids of one finding: of the row, and of its order. */
export const IDS = "ARRAY[r.id] AS request_ids, array_remove(ARRAY[r.order_id], NULL) AS order_ids"

/** The orders of a payment collection. */
export const ORDERS_OF_COLLECTION = (id: string): string => `ARRAY(SELECT opc.order_id
  FROM order_payment_collection opc WHERE opc.payment_collection_id = ${id} AND opc.deleted_at IS NULL ORDER BY 1)`
