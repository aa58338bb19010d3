import { createHash, randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { IDS_OF_ORDER, IS_FINAL, IS_FREE, REQUESTS } from "./request-sql"

/** How long a settle may hold a row. Rows of a dead process are released only by this. */
const LEASE = "2 minutes"
/** How often the page of a waiting payer makes the plugin read the gateway while no notification comes. */
export const RETURN_CHECK_INTERVAL = "15 seconds"
const BEGIN_SETTLE = ", settles_begun = r.settles_begun + 1"
/** A settle that failed is tried again after 5 seconds, and each time after twice as long, ten minutes at most. */
const RETRY = "LEAST(interval '5 seconds' * power(2, LEAST(settles_begun - 1, 10)), interval '10 minutes')"
/** A repeated notification makes its row due at most this often. */
const REPEAT_INTERVAL = "1 minute"
const DIGEST_LENGTH = 32
/** Of sixteen digests with a space between them. */
const LONGEST_DIGESTS = 16 * (DIGEST_LENGTH + 1) - 1
const IS_REPEAT = "COALESCE(strpos(r.notification_digest, :digest) > 0, false)"

/** A row that one settle holds. Every write of that settle requires `lease_id`. */
export type LeasedRow = CryptoPaymentRequestRow & { lease_id: string }

/** What is taken from a genuine notification. None of it decides anything. */
export interface NotificationNews {
  paymentRequestId: string
  approvalHash: string
  /** Whether the notification reports PAID: then the read is repeated soon, until it shows the same. */
  reportsPaid: boolean
}

/** A row that a notification was about; `is_due` when there is something to settle now. */
export interface NotifiedRow {
  id: string
  provider_id: string
  is_due: boolean
}

/** The queue of payment requests in Postgres: which rows are due, who makes them due, and who holds them. */
export class PaymentRequestQueue {
  constructor(private readonly knex: Knex) {}

  /**
   * Takes the row for one settle.
   *
   * @returns undefined when another settle holds the row; the row is due again when that one ends
   */
  async lease(id: string): Promise<LeasedRow | undefined> {
    const row = await this.takeLease(id, "true", BEGIN_SETTLE)
    if (row === undefined) {
      await this.requestCheck(id)
    }
    return row
  }

  /**
   * Takes the row for something else than a settle.
   *
   * @returns undefined when a settle holds the row; nothing is changed then
   */
  async leaseFree(id: string): Promise<LeasedRow | undefined> {
    return await this.takeLease(id, "true")
  }

  /**
   * Takes the row for one settle if it is due: of several processes that saw it due, one settles it.
   *
   * @returns undefined when another settle holds the row or has settled it; nothing is changed then
   */
  async leaseDue(id: string): Promise<LeasedRow | undefined> {
    // Not by the index of due rows: with a backlog, each of its settles would read all of it.
    return await this.takeLease(id, "r.next_check_at + interval '0' <= now()", BEGIN_SETTLE)
  }

  private async takeLease(id: string, condition: string, set = ""): Promise<LeasedRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: LeasedRow[] }>(
      `UPDATE ${REQUESTS} r
          SET lease_id = ?, lease_until = now() + interval '${LEASE}', check_requested_at = NULL ${set}
        WHERE r.id = ? AND ${IS_FREE} AND ${condition} RETURNING *`,
      [randomUUID(), id]
    )
    return rows[0]
  }

  /**
   * Holds the row for another two minutes.
   *
   * @returns false when another settle has taken it
   */
  async extendLease({ id, lease_id }: LeasedRow): Promise<boolean> {
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `UPDATE ${REQUESTS} SET lease_until = now() + interval '${LEASE}' WHERE id = ? AND lease_id = ?`,
      [id, lease_id]
    )
    return rowCount === 1
  }

  /** Gives the row back, as due as it is. */
  async release({ id, lease_id }: LeasedRow): Promise<void> {
    await this.knex(REQUESTS).where({ id, lease_id }).update({ lease_id: null, lease_until: null })
  }

  /** Gives back the row of a settle that failed: due again after a while, or now if somebody asked for a check. */
  async releaseFailed(lease: LeasedRow): Promise<void> {
    await this.releaseDue(lease, `CASE WHEN check_requested_at IS NULL THEN now() + ${RETRY} ELSE now() END`)
  }

  /** Gives back a row that another process settles now: this settle has not failed. */
  async releaseNow(lease: LeasedRow): Promise<void> {
    await this.releaseDue(lease, "now()", "GREATEST(settles_begun - 1, 0)")
  }

  private async releaseDue({ id, lease_id }: LeasedRow, at: string, begun = "settles_begun"): Promise<void> {
    await this.knex(REQUESTS)
      .where({ id, lease_id })
      .update({
        lease_id: null,
        lease_until: null,
        next_check_at: this.knex.raw(at),
        settles_begun: this.knex.raw(begun),
      })
  }

  /** Due rows that no settle holds, the longest due first. Each settle takes its lease itself. */
  async listDue(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT r.id FROM ${REQUESTS} r
        WHERE r.next_check_at <= now() AND ${IS_FREE} AND r.deleted_at IS NULL
        ORDER BY r.next_check_at LIMIT ?`,
      [limit]
    )
    return rows.map(({ id }) => id)
  }

  /** Makes a row due now, unless nothing can follow for it. */
  async requestCheck(id: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET check_requested_at = now(), next_check_at = now()
        WHERE r.id = ? AND NOT ${IS_FINAL}`,
      [id]
    )
  }

  /**
   * Records a genuine notification and makes its row due. News may come in another order than it happened, so what comes
   * after PAID does not take that back. A repeat of a notification makes it due at most once a minute and does not start
   * the quick checks again, so that repeats cost no more reads than one notification. That holds for the newest sixteen
   * different ones. Once the payment is known to be paid, a repeat is no news at all.
   *
   * @param providerIds the providers whose own key verifies it
   * @returns nothing when the request is not ours; several rows when several accounts have used the id
   */
  async recordNotification(
    providerIds: readonly string[],
    { paymentRequestId, approvalHash, reportsPaid }: NotificationNews
  ): Promise<NotifiedRow[]> {
    const digest = createHash("sha256")
      .update(approvalHash.toLowerCase())
      .digest("hex")
      .slice(0, DIGEST_LENGTH)
    const entryId = generateEntityId(undefined, "cpact")
    const { rows } = await this.knex.raw<{ rows: NotifiedRow[] }>(
      `WITH found AS (
         SELECT r.id, ${IS_FINAL} AS is_final,
                ${IS_REPEAT} AS is_repeat,
                ${IS_REPEAT}
                  AND (r.paid_at IS NOT NULL
                       OR GREATEST(r.check_requested_at, r.last_checked_at, r.notified_at)
                          > now() - interval '${REPEAT_INTERVAL}') AS is_idle_repeat
           FROM ${REQUESTS} r
          WHERE r.payment_request_id = :paymentRequestId AND r.provider_id = ANY(:providerIds)
            AND r.deleted_at IS NULL
          ORDER BY r.id FOR UPDATE
       ), changed AS (
       UPDATE ${REQUESTS} r
          SET last_webhook_at = now(),
              notification_digest = CASE WHEN f.is_repeat THEN r.notification_digest
                ELSE left(concat_ws(' ', CAST(:digest AS text), r.notification_digest), ${LONGEST_DIGESTS}) END,
              notified_at = CASE WHEN f.is_repeat OR (r.is_reported_paid AND NOT :reportsPaid) THEN r.notified_at
                ELSE now() END,
              is_reported_paid = r.is_reported_paid OR :reportsPaid,
              check_requested_at = CASE WHEN f.is_idle_repeat THEN r.check_requested_at ELSE now() END,
              next_check_at = CASE WHEN f.is_final OR f.is_idle_repeat THEN r.next_check_at ELSE now() END
         FROM found f
        WHERE r.id = f.id
       RETURNING r.id, r.provider_id, NOT f.is_final AND NOT f.is_idle_repeat AS is_due
       ), entry AS (
         INSERT INTO crypto_payment_activity (id, request_id, type, detail, created_at)
         SELECT :entryId || CASE WHEN n > 1 THEN '_' || n ELSE '' END, id, 'notified', '{}', clock_timestamp()
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM changed WHERE is_due) due
       )
       SELECT id, provider_id, is_due FROM changed`,
      { paymentRequestId, providerIds: [...providerIds], digest, reportsPaid, entryId }
    )
    return rows
  }

  /**
   * Makes an unpaid row due because its payer is back: the first time at once, then once in a while, however often the
   * page asks.
   *
   * @returns whether it was
   */
  async makeReturnedDue(id: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `UPDATE ${REQUESTS} r SET next_check_at = now(), check_requested_at = now()
        WHERE r.id = ? AND r.paid_at IS NULL AND r.payment_request_id IS NOT NULL
          AND (r.last_checked_at IS NULL OR r.last_checked_at < now() - interval '${RETURN_CHECK_INTERVAL}')
          AND (r.check_requested_at IS NULL OR r.check_requested_at < now() - interval '${RETURN_CHECK_INTERVAL}')
          AND ${IS_FREE}
        RETURNING r.id`,
      [id]
    )
    return rows.length > 0
  }

  /** Makes due the paid, unsettled rows of an order that was placed, unless a settle holds the row. */
  async makePlacedDue(orderId: string): Promise<string[]> {
    return await this.makeOrderDue(orderId, `NOT ${IS_FINAL} AND ${IS_FREE}`)
  }

  /**
   * Makes due the paid rows of a changed order. Settled rows are checked again, and so are rows that a settle
   * holds.
   */
  async makeChangedDue(orderId: string): Promise<string[]> {
    return await this.makeOrderDue(orderId, "r.state <> 'refunded'")
  }

  private async makeOrderDue(orderId: string, condition: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET next_check_at = now(), check_requested_at = now()
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND r.paid_at IS NOT NULL AND ${condition}
        RETURNING r.id`,
      { orderId }
    )
    return rows.map(({ id }) => id)
  }
}
