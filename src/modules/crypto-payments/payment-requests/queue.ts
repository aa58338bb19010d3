import { createHash, randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import {
  DUE_NOW,
  IDS_OF_ORDER,
  IS_FINAL,
  IS_FREE,
  REQUESTS,
  SAYS_UNPAID,
  type SettleTrigger,
} from "./request-sql"

/** How long a settle may hold a row. Rows of a dead process are released only by this. */
export const LEASE = "2 minutes"
/** How often the page of a waiting payer makes the plugin read the gateway while no notification comes. */
export const RETURN_CHECK_INTERVAL = "15 seconds"
const LEASED = (leaseId: string): string =>
  `lease_id = ${leaseId}, lease_until = now() + interval '${LEASE}', check_requested_at = NULL`
const BEGIN_SETTLE = "settles_begun = r.settles_begun + 1"
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

/** A payer is back, or an order was changed that nobody says is paid: its link may be replaced, by a call that hangs. */
const IS_RETURN = `(r.check_trigger = 'return'
  OR r.check_trigger = 'order_changed' AND r.paid_at IS NULL AND NOT r.is_reported_paid)`
/** A return that found no place for a minute is as any other row that the schedule finds. */
const IS_OLD_RETURN = `(${IS_RETURN} AND r.next_check_at < now() - interval '1 minute')`
/**
 * Kinds of due rows, in the order in which they are settled: somebody has told of money, or of its order, a moment ago;
 * returns; and what the schedule finds, which has waited for minutes.
 */
const IS_ASKED = `r.check_trigger IS NOT NULL AND NOT ${IS_RETURN}`
const IS_RETURNED = `${IS_RETURN} AND NOT ${IS_OLD_RETURN}`
const IS_SCHEDULED = `(r.check_trigger IS NULL OR ${IS_OLD_RETURN})`
/** Most of the schedule's rows: the last read said UNPAID, the last settle has ended, and nobody has told of money. */
const IS_ROUTINE = `(r.paid_at IS NULL AND NOT r.is_reported_paid AND ${SAYS_UNPAID} AND r.failure IS NULL
  AND r.settles_begun = 0)`
/** Among so many of the schedule's rows, the longest due, those are looked for that can be taken. */
const LOOK_AHEAD = 25

export type SettleKind = "asked" | "returned" | "scheduled" | "routine"

export type DueRow = LeasedRow & {
  check_trigger: SettleTrigger | null
  kind: SettleKind
  /** Each write of the row gives it another version. */
  version: string
}

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
   * Takes due rows for settles, those that were asked for first, each kind the longest due first. Rows that another
   * process is taking are passed over, so each row is settled by one.
   *
   * @param places how many rows of each kind may be taken, and of `all` but the routine ones
   */
  async leaseDue(places: Record<"all" | SettleKind, number>): Promise<DueRow[]> {
    const find = (condition: string, most: string, kind: string): string => `
         SELECT r.id, r.next_check_at, ${kind} AS kind FROM ${REQUESTS} r
          WHERE r.next_check_at <= now() AND ${condition} AND ${IS_FREE} AND r.deleted_at IS NULL
          ORDER BY r.next_check_at LIMIT ${most} FOR UPDATE SKIP LOCKED`
    const { rows } = await this.knex.raw<{ rows: DueRow[] }>(
      `WITH asked AS (${find(IS_ASKED, ":asked", "'asked'")}
       ), returned AS (${find(IS_RETURNED, ":returned", "'returned'")}
       ), unasked AS (${find(
         IS_SCHEDULED,
         `LEAST((:scheduled)::int + (:routine)::int, 1) * ${String(LOOK_AHEAD)}`,
         `CASE WHEN ${IS_ROUTINE} THEN 'routine' ELSE 'scheduled' END`
       )}
       ), numbered AS (
         SELECT *, row_number() OVER (PARTITION BY kind ORDER BY next_check_at) AS number FROM unasked
       ), due AS (
         (SELECT id, kind FROM (
            SELECT *, 1 AS rank FROM asked
             UNION ALL SELECT *, 2 FROM returned
             UNION ALL SELECT id, next_check_at, kind, 3 FROM numbered WHERE kind = 'scheduled' AND number <= :scheduled
          ) one_by_one ORDER BY rank, next_check_at LIMIT :all)
          UNION ALL
         SELECT id, kind FROM numbered WHERE kind = 'routine' AND number <= :routine
       )
       UPDATE ${REQUESTS} r SET ${LEASED(":leaseId || r.id")}, ${BEGIN_SETTLE}
         FROM due WHERE r.id = due.id RETURNING r.*, due.kind, r.xmin::text AS version`,
      { ...places, leaseId: randomUUID() }
    )
    return rows
  }

  /**
   * Takes the row for one settle, due or not.
   *
   * @returns undefined when another settle holds the row; the row is due again when that one ends
   */
  async lease(id: string): Promise<LeasedRow | undefined> {
    const row = await this.take(id, `, ${BEGIN_SETTLE}`)
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
    return await this.take(id)
  }

  private async take(id: string, set = ""): Promise<LeasedRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: LeasedRow[] }>(
      `UPDATE ${REQUESTS} r SET ${LEASED("?")} ${set} WHERE r.id = ? AND ${IS_FREE} RETURNING *`,
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

  /**
   * Gives back the row of a settle that failed: due again after a while, or now if somebody asked for a check.
   *
   * @returns in how many milliseconds it is due; null when another settle has taken it
   */
  async releaseFailed(lease: LeasedRow): Promise<number | null> {
    return await this.releaseDue(
      lease,
      `CASE WHEN check_requested_at IS NULL THEN now() + ${RETRY} ELSE now() END`
    )
  }

  /** A settle that hangs: its row is not the first that is taken when its lease has ended. */
  async putOff({ id, lease_id }: LeasedRow): Promise<void> {
    await this.knex(REQUESTS)
      .where({ id, lease_id })
      .update({ next_check_at: this.knex.raw(`now() + ${RETRY}`) })
  }

  /** Gives back a row that another process settles now: this settle has not failed. */
  async releaseNow(lease: LeasedRow): Promise<void> {
    await this.releaseDue(lease, "now()", "GREATEST(settles_begun - 1, 0)")
  }

  private async releaseDue(
    { id, lease_id }: LeasedRow,
    at: string,
    begun = "settles_begun"
  ): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { due_in_ms: number }[] }>(
      // What has failed again and again is not urgent any more.
      `UPDATE ${REQUESTS} SET lease_id = NULL, lease_until = NULL, next_check_at = ${at}, settles_begun = ${begun},
              check_trigger = CASE WHEN settles_begun <= 3 THEN check_trigger END
        WHERE id = ? AND lease_id = ? RETURNING extract(epoch FROM next_check_at - now())::float8 * 1000 AS due_in_ms`,
      [id, lease_id]
    )
    return rows[0]?.due_in_ms ?? null
  }

  /** Makes a row due now, unless nothing can follow for it. */
  async requestCheck(id: string, trigger: "provider" | "notification" = "provider"): Promise<void> {
    await this.knex.raw(`UPDATE ${REQUESTS} r SET ${DUE_NOW(trigger)} WHERE r.id = ? AND NOT ${IS_FINAL}`, [
      id,
    ])
  }

  /**
   * Records a genuine notification and makes its row due. News may come in another order than it happened, so what
   * comes after PAID does not take that back. A repeat of a notification makes it due at most once a minute and does
   * not start the quick checks again, so that repeats cost no more reads than one notification. That holds for the
   * newest sixteen different ones. Once the payment is known to be paid, a repeat is no news at all.
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
              next_check_at = CASE WHEN f.is_final OR f.is_idle_repeat THEN r.next_check_at
                ELSE LEAST(r.next_check_at, now()) END,
              check_trigger = CASE WHEN f.is_final OR f.is_idle_repeat THEN r.check_trigger ELSE 'notification' END
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
      `UPDATE ${REQUESTS} r SET ${DUE_NOW("return")}
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
  async makePlacedDue(orderId: string): Promise<void> {
    await this.makeOrderDue(orderId, `NOT ${IS_FINAL} AND ${IS_FREE}`)
  }

  /**
   * Makes due the paid rows of a changed order. Settled rows are checked again, and so are rows that a settle
   * holds.
   */
  async makeChangedDue(orderId: string): Promise<void> {
    await this.makeOrderDue(orderId, "r.state <> 'refunded'")
  }

  private async makeOrderDue(orderId: string, condition: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET ${DUE_NOW("order_changed")}
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND r.paid_at IS NOT NULL AND ${condition}`,
      { orderId }
    )
  }
}
