import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import {
  hasBegun,
  hasPart,
  hasUnknownWord,
  isEndWord,
  isMoreThan,
  isReported,
  isRestAwaited,
  PAYING_GRACE_MS,
  recordedStatus,
} from "../../../decision"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import type { Facts } from "./read-facts"
import { readUncovered } from "./order-balance"
import {
  IS_CANCELED,
  IS_ORDER_DELETED,
  ORDER_OF_REQUEST,
  OUTSIDE_READ_INTERVAL,
  REQUESTS,
} from "./request-sql"

/**
 * What a shopper sees of a payment.
 *
 * - `awaiting_payment`: the link is open and not paid, or only in part
 * - `processing`: a payment has begun, or the gateway said PAID and Medusa has not captured it yet, or a notification
 *   said so that no read has contradicted
 * - `paid`: captured, or its order was paid or is authorized another way, or owes nothing
 * - `failed`: the link is not offered any more, the last attempt failed (`attempt_failed`), or the money was sent back
 *   (`refunded`)
 */
export type ShopperStatus = "awaiting_payment" | "processing" | "paid" | "failed"

/** The row that a shopper's poll reads, and who may see its order and its link. */
export interface SessionStatusRow extends CryptoPaymentRequestRow {
  /** The gateway was not read since the payer may have paid: the status is not final. */
  is_stale: boolean
  cart_customer_id: string | null
  order_customer_id: string | null
  placed_order_id: string | null
  /** That order is a draft, which no shopper can read: the merchant makes an order of it. */
  is_draft_order: boolean
  /** Or deleted: nobody is to pay for it any more. */
  is_order_canceled: boolean
  /** The row is unpaid and need not be paid: its order owes nothing, or another provider's payment is authorized. */
  is_order_covered: boolean
  /** The placed order that waits for the payment of this or a later link. */
  unpaid_order_id: string | null
  /** Until when that order is kept for its payer; null without a limit. */
  pay_until: Date | null
  /** The row is unpaid, and PAID is reported of a link that asks for the same. */
  is_other_reported: boolean
  /** The database's time of this read. */
  database_now: Date
}

type MoneyOfCollection = Pick<CryptoPaymentRequestRow, "payment_collection_id" | "amount" | "currency_code">

const NOTED_ORDER = `COALESCE(r.order_id, ${ORDER_OF_REQUEST})`

/** What a shopper's session says of its payment. */
export class SessionStatuses {
  constructor(
    private readonly knex: Knex,
    private readonly facts: Facts
  ) {}

  /**
   * Of all requests that the session was ever bound to, the one it is bound to now goes first. For an order that the
   * row has not paid, also reads whether it was paid another way, and until when it is kept.
   */
  async read(sessionId: string): Promise<SessionStatusRow | undefined> {
    const isOfSession = "session_ids @> ARRAY[:id]::text[]"
    return await this.find(
      `${isOfSession} AND deleted_at IS NULL ORDER BY (session_id = :id) DESC, created_at DESC`,
      sessionId
    )
  }

  /** The same of one row. */
  async readRow(id: string): Promise<SessionStatusRow | undefined> {
    return await this.find("id = :id", id)
  }

  private async find(condition: string, id: string): Promise<SessionStatusRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: SessionStatusRow[] }>(
      `SELECT r.*,
              (r.paid_at IS NULL AND r.payment_request_id IS NOT NULL AND (r.failure IS NOT NULL OR r.last_checked_at IS NULL
                OR r.last_checked_at < now() - interval '${OUTSIDE_READ_INTERVAL}')) AS is_stale,
              c.customer_id AS cart_customer_id, o.customer_id AS order_customer_id, o.id AS placed_order_id,
              COALESCE(o.is_draft_order, false) AS is_draft_order,
              (COALESCE(${IS_CANCELED}, false) OR ${IS_ORDER_DELETED(NOTED_ORDER)}) AS is_order_canceled,
              false AS is_order_covered,
              CASE WHEN r.state IN ('open', 'superseded') AND NOT ${IS_CANCELED}
                THEN o.id END AS unpaid_order_id,
              NULL::timestamptz AS pay_until, now() AS database_now,
              r.paid_at IS NULL
                AND ${IS_REPORTED_OF("r.payment_collection_id", "r.amount", "r.currency_code")} AS is_other_reported
         FROM (
           -- LIMIT before the joins: after them, Postgres would rather read the whole table than its index.
           SELECT * FROM crypto_payment_request WHERE ${condition} LIMIT 1
         ) r
         LEFT JOIN cart c ON c.id = r.cart_id AND c.deleted_at IS NULL
         LEFT JOIN "order" o ON o.id = ${NOTED_ORDER} AND o.deleted_at IS NULL`,
      { id }
    )
    const [row] = rows
    if (row === undefined || row.paid_at !== null || row.placed_order_id === null) {
      return row
    }
    const { order_id, order_canceled, order_expires_at } = await this.facts.read(row.id)
    const uncovered = await readUncovered(this.knex, [row.placed_order_id])
    return {
      ...row,
      is_order_covered:
        order_id !== null && !order_canceled && !isMoreThan(uncovered.get(row.placed_order_id) ?? "0", "0"),
      pay_until: order_expires_at,
    }
  }
}

/** Whether PAID is reported of a link that asks for this: `isReported` in SQL. */
const IS_REPORTED_OF = (collection: string, amount: string, currency: string): string => `EXISTS (
  SELECT 1 FROM ${REQUESTS} q
   WHERE q.payment_collection_id = ${collection} AND q.amount = ${amount} AND q.currency_code = ${currency}
     AND q.is_reported_paid AND q.paid_at IS NULL AND COALESCE(q.denied_at < q.notified_at, true)
     AND q.deleted_at IS NULL)`

/**
 * Whether PAID is reported of a link that asks for this, and no read shows it. It may be a former link, as after a
 * corrected e-mail address: whoever is given another one could pay twice.
 */
export async function isReportedOfSame(knex: Knex, money: MoneyOfCollection): Promise<boolean> {
  const reported = IS_REPORTED_OF(":payment_collection_id", ":amount", ":currency_code")
  const { rows } = await knex.raw<{ rows: [{ found: boolean }] }>(`SELECT ${reported} AS found`, { ...money })
  return rows[0].found
}

/** @see ShopperStatus */
export function toShopperStatus(row: SessionStatusRow): ShopperStatus {
  if (row.state === "refunded") {
    return "failed"
  }
  if (row.paid_at !== null) {
    return row.captured_at === null ? "processing" : "paid"
  }
  if (isReported(row) || row.is_other_reported || (!row.is_order_covered && isStranded(row))) {
    return "processing"
  }
  if (row.is_order_canceled) {
    return "failed"
  }
  const isOver = row.state === "closed" || isEndWord(row)
  if (!row.is_order_covered && isPartTold(row)) {
    return "awaiting_payment"
  }
  // Whoever pays a link that is still offered is given the same one again after a day.
  if (!isOver && (row.state === "open" ? isHeld(row, row.database_now) : hasBegun(row))) {
    return "processing"
  }
  if (row.is_order_covered) {
    return "paid"
  }
  return isOver || row.state === "superseded" ? "failed" : "awaiting_payment"
}

/** Whether the payer is asked for the rest: a part has arrived, and its link can be paid. */
export function isPartTold(row: CryptoPaymentRequestRow): boolean {
  return row.state === "open" && isPartLeft(row) && isRestAwaited(row) && !isEndWord(row)
}

/**
 * Whether the shop looks at what has arrived, or is said to have: of a cancelled order, what is reported; else a part on
 * a link that was replaced or has ended.
 */
export function isStranded(row: SessionStatusRow): boolean {
  const isOfLink = isPartLeft(row) && isRestAwaited(row) && !isPartTold(row)
  return row.is_order_canceled ? isReported(row) : isOfLink
}

/**
 * Whether somebody pays the link, or may have paid it: what another link asks for says nothing to its payer. PENDING
 * counts for a day, as on the pay page.
 */
export function isUnderWay(row: CryptoPaymentRequestRow & { database_now: Date }): boolean {
  return isReported(row) || isRestAwaited(row) || isHeld(row, row.database_now)
}

/** Whether the gateway says that somebody is paying. A word that its interface does not have may mean PAID. */
export function isHeld(row: CryptoPaymentRequestRow, now: Date): boolean {
  const sinceMs = (row.status_since ?? row.created_at).getTime()
  return hasBegun(row) && (hasUnknownWord(row) || now.getTime() - sinceMs < PAYING_GRACE_MS)
}

/** Whether the whole sum can be asked for: the link is offered, and nothing of it has arrived or is said to have. */
export function isToPay(row: CryptoPaymentRequestRow): boolean {
  return row.state === "open" && !hasPart(row) && !isReported(row)
}

/** Whether a part is all for now. While the gateway confirms a payment, it may show a part, which is no case at first. */
export function isPartLeft(row: CryptoPaymentRequestRow): boolean {
  return hasPart(row) && (recordedStatus(row) !== "PENDING" || row.attention_reason !== null)
}

/** Whether an order was placed and waits for this payment, or for the capture of its money. */
export function isOrderKept(row: SessionStatusRow): boolean {
  if (row.paid_at === null) {
    return row.unpaid_order_id !== null && !row.is_order_covered
  }
  const isPlaced = row.placed_order_id !== null && !row.is_order_canceled
  return isPlaced && toShopperStatus(row) === "processing" && !isUnderReview(row)
}

/** For routes, which know no decision. */
export { isEndWord, isReported, isRestAwaited }

/** Whether money was received and the shop is reviewing it, or has reviewed it and placed no order. */
export function isUnderReview(row: CryptoPaymentRequestRow): boolean {
  const { paid_at, settled_at, attention_reason, attention_resolved_at } = row
  // A case from before the payment ends as soon as the settle of the money ends. What an order still owes is no review.
  const isOfMoney = ![null, "order_underpaid", "order_not_canceled", "partly_paid"].includes(attention_reason)
  return paid_at !== null && isOfMoney && (attention_resolved_at === null || settled_at === null)
}
