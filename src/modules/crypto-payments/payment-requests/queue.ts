import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { LEASED, type LeasedRow } from "./leases"
import { NEW_ENTRY_ID } from "./life-cycle"
import {
  DUE_NOW,
  IDS_OF_ORDER,
  IS_CASE_OF_SUM,
  IS_FINAL,
  IS_FREE,
  IS_REPORT_NEWS,
  IS_UNREFUNDED,
  OUTSIDE_READ_INTERVAL,
  REQUESTS,
  SAYS_UNPAID,
  type SettleTrigger,
} from "./request-sql"

/** In the queue, these come after what reports money. */
const IS_RETURN = "r.check_trigger IN ('return', 'order_changed')"
/** Most of the schedule's rows: the last read said UNPAID, the last settle has ended, and nobody reported money. */
const IS_ROUTINE = `(r.paid_at IS NULL AND NOT r.is_reported_paid AND ${SAYS_UNPAID} AND r.failure IS NULL AND r.settles_begun = 0)`
/** Rows that can be leased are looked for among this many of the schedule's rows, the longest due. */
const LOOK_AHEAD = 25

export type SettleKind = "asked" | "scheduled" | "routine"

export type DueRow = LeasedRow & {
  check_trigger: SettleTrigger | null
  kind: SettleKind
  /** Changes with each write of the row. */
  version: string
}

/**
 * Settled rows are not due when their order is placed, but when it is cancelled. The link of a changed order may have
 * been paid before the change.
 */
const CONCERNED = {
  placed: `r.paid_at IS NOT NULL AND NOT ${IS_FINAL} AND ${IS_FREE}`,
  canceled: IS_UNREFUNDED,
  changed: `(r.state = 'open' OR ${IS_CASE_OF_SUM})`,
}

/** What is taken from a genuine notification. None of it decides anything. */
interface NotificationNews {
  paymentRequestId: string
  /** The read is repeated soon, until it also says PAID. */
  reportsPaid: boolean
  /** The session that its note names. Two gateway accounts may have used the same id. */
  sessionId: string | null
}

/** A row that a notification was about; `is_due` when there is something to settle now. */
export type NotifiedRow = Pick<CryptoPaymentRequestRow, "id" | "provider_id"> & { is_due: boolean }

const IS_NEWS = `(:reportsPaid AND ${IS_REPORT_NEWS})`

/** News is read at once. A read of a row that a settle holds counts as made now. */
const DUE_AT = `CASE WHEN ${IS_NEWS} THEN now()
  ELSE GREATEST(now(), CASE WHEN ${IS_FREE} THEN r.last_checked_at ELSE now() END + interval '${OUTSIDE_READ_INTERVAL}') END`

/** Makes due the rows `r` that meet the condition. @param set as `DUE_NOW` @returns their ids */
export async function enqueue(
  knex: Knex,
  set: string,
  condition: string,
  bindings: Record<string, Knex.RawBinding>
): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `UPDATE ${REQUESTS} r SET ${set} WHERE ${condition} RETURNING r.id`,
    bindings
  )
  return rows.map(({ id }) => id)
}

/**
 * The queue of payment requests in Postgres: it leases due rows, and makes rows due for notifications, events of an
 * order, returns and requests. Sweeps and the gateway's list make rows due as well; the outcome of a settle plans the
 * next check.
 */
export class PaymentRequestQueue {
  constructor(
    private readonly knex: Knex,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger
  ) {}

  /**
   * Leases due rows for settles: of those that somebody asked for, what reports money goes first; of the others,
   * received money that is not settled. Then the longest due. Rows that another process is leasing are skipped.
   */
  async leaseDue(places: Record<SettleKind, number>): Promise<DueRow[]> {
    const isDue = `r.next_check_at <= now() AND ${IS_FREE} AND r.deleted_at IS NULL`
    const lookAhead = `LEAST((:scheduled)::int + (:routine)::int, 1) * ${String(LOOK_AHEAD)}`
    const { rows } = await this.knex.raw<{ rows: DueRow[] }>(
      `WITH asked AS (
         SELECT r.id, 'asked' AS kind FROM ${REQUESTS} r WHERE r.check_trigger IS NOT NULL AND ${isDue}
          ORDER BY ${IS_RETURN}, r.next_check_at LIMIT :asked FOR UPDATE SKIP LOCKED
       ), unasked AS (
         SELECT r.id, r.next_check_at, r.paid_at IS NULL AS is_unpaid, CASE WHEN ${IS_ROUTINE} THEN 'routine' ELSE 'scheduled' END AS kind
           FROM ${REQUESTS} r WHERE r.check_trigger IS NULL AND ${isDue}
          ORDER BY r.paid_at IS NULL, r.next_check_at LIMIT ${lookAhead} FOR UPDATE SKIP LOCKED
       ), numbered AS (
         SELECT *, row_number() OVER (PARTITION BY kind ORDER BY is_unpaid, next_check_at) AS number FROM unasked
       ), due AS (
         SELECT id, kind FROM asked
          UNION ALL
         SELECT id, kind FROM numbered WHERE number <= CASE kind WHEN 'routine' THEN (:routine)::int ELSE (:scheduled)::int END
       )
       UPDATE ${REQUESTS} r SET ${LEASED(":leaseId || r.id")}, settles_begun = r.settles_begun + 1
         FROM due WHERE r.id = due.id RETURNING r.*, due.kind, r.xmin::text AS version`,
      { ...places, leaseId: randomUUID() }
    )
    return rows
  }

  async requestCheck(id: string): Promise<void> {
    await enqueue(this.knex, DUE_NOW("provider"), `r.id = :id AND NOT ${IS_FINAL}`, { id })
  }

  /** Makes a row due and asks for a settle now. If that is lost, the next tick settles the row. */
  async requestSettle(id: string): Promise<void> {
    await this.requestCheck(id)
    await this.wakeWorkers()
  }

  /** The same for what a visitor can cause: not within ten seconds of the last read. */
  async requestUnlessJustRead(id: string): Promise<void> {
    if (await this.makeReturnedDue(id)) {
      await this.wakeWorkers()
    }
  }

  private async wakeWorkers(): Promise<void> {
    try {
      await emitEvent(this.eventBus, CryptoPaymentEvents.CHECK_REQUESTED, {})
    } catch (error) {
      this.logger.warn(`crypto payments: due rows are settled by the next tick (${describeError(error)})`)
    }
  }

  /** Makes an unpaid row due because its payer returned: at once, then at intervals. @returns whether it did */
  async makeReturnedDue(id: string): Promise<boolean> {
    const isUnread = `r.id = :id AND r.paid_at IS NULL AND r.payment_request_id IS NOT NULL AND ${IS_FREE}
      AND COALESCE(GREATEST(r.last_checked_at, r.check_requested_at) < now() - interval '${OUTSIDE_READ_INTERVAL}', true)`
    return (await enqueue(this.knex, DUE_NOW("return"), isUnread, { id })).length > 0
  }

  /** Makes due the rows that an event of the order concerns. If that is lost, a sweep finds them. */
  async makeOrderDue(orderId: string, event: keyof typeof CONCERNED): Promise<void> {
    const isConcerned = `r.id IN (${IDS_OF_ORDER(":orderId")}) AND ${CONCERNED[event]}`
    await enqueue(this.knex, DUE_NOW("order_changed"), isConcerned, { orderId })
  }

  /**
   * Records a genuine notification and makes its row due: now, or `OUTSIDE_READ_INTERVAL` after the last read of the
   * gateway. Notifications may arrive out of order, so a later one does not take PAID back. Once the payment is known
   * to be paid, a notification changes nothing.
   *
   * @param providerIds the providers whose own key verifies it
   * @returns nothing when the request is not ours; several rows when several accounts have used the id and the note
   *   names none of them
   */
  async recordNotification(
    providerIds: readonly string[],
    { paymentRequestId, reportsPaid, sessionId }: NotificationNews
  ): Promise<NotifiedRow[]> {
    const { rows } = await this.knex.raw<{ rows: NotifiedRow[] }>(
      `WITH found AS (
         SELECT r.id, r.provider_id, r.paid_at IS NOT NULL OR ${IS_FINAL} AS is_known, ${IS_NEWS} AS is_news, ${DUE_AT} AS due_at,
                r.next_check_at
           FROM ${REQUESTS} r
          WHERE r.payment_request_id = :paymentRequestId AND r.provider_id = ANY(:providerIds)
            AND r.deleted_at IS NULL
            AND (r.session_ids @> ARRAY[:sessionId]::text[] OR NOT EXISTS (
              SELECT 1 FROM ${REQUESTS} n WHERE n.payment_request_id = :paymentRequestId
                 AND n.session_ids @> ARRAY[:sessionId]::text[] AND n.deleted_at IS NULL))
          ORDER BY r.id FOR UPDATE
       ), noted AS (
         UPDATE ${REQUESTS} r
            SET last_webhook_at = now(), is_reported_paid = r.is_reported_paid OR :reportsPaid,
                notified_at = CASE WHEN r.is_reported_paid AND NOT f.is_news THEN r.notified_at ELSE now() END,
                next_check_at = CASE WHEN f.is_known THEN r.next_check_at ELSE LEAST(r.next_check_at, f.due_at) END,
                check_requested_at = CASE WHEN f.is_known THEN r.check_requested_at
                  ELSE LEAST(r.check_requested_at, f.due_at) END,
                check_trigger = CASE WHEN f.is_known THEN r.check_trigger ELSE 'notification' END
           FROM found f
          WHERE r.id = f.id
       ), entry AS (
         INSERT INTO crypto_payment_activity (id, request_id, type, detail, created_at)
         SELECT ${NEW_ENTRY_ID}, id, 'notified', '{}', clock_timestamp() FROM found
          WHERE NOT is_known AND (is_news OR next_check_at IS NULL OR next_check_at > due_at)
       )
       SELECT id, provider_id, NOT is_known AND due_at <= now() AS is_due FROM found`,
      { paymentRequestId, providerIds: [...providerIds], reportsPaid, sessionId }
    )
    return rows
  }
}
