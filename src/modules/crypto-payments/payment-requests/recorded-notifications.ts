import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { IS_FINAL, IS_FREE, OUTSIDE_READ_INTERVAL, REQUESTS } from "./request-sql"

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

/** The first report of PAID, or the first since an admin user closed the case of an earlier one. */
const IS_NEWS =
  "(:reportsPaid AND (NOT r.is_reported_paid OR COALESCE(r.attention_resolved_at > r.notified_at, false)))"

/** News is read at once. A read of a row that a settle holds counts as made now. */
const DUE_AT = `CASE WHEN ${IS_NEWS} THEN now()
  ELSE GREATEST(now(), CASE WHEN ${IS_FREE} THEN r.last_checked_at ELSE now() END + interval '${OUTSIDE_READ_INTERVAL}') END`

/** Genuine notifications: each is recorded at its row and makes it due. */
export class RecordedNotifications {
  constructor(private readonly knex: Knex) {}

  /**
   * Records a genuine notification and makes its row due: now, or `OUTSIDE_READ_INTERVAL` after the last read of the
   * gateway. Notifications may arrive out of order, so a later one does not take PAID back. Once the payment is known to
   * be paid, a notification changes nothing.
   *
   * @param providerIds the providers whose own key verifies it
   * @returns nothing when the request is not ours; several rows when several accounts have used the id and the note
   *   names none of them
   */
  async record(
    providerIds: readonly string[],
    { paymentRequestId, reportsPaid, sessionId }: NotificationNews
  ): Promise<NotifiedRow[]> {
    const entryId = generateEntityId(undefined, "cpact")
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
         SELECT :entryId || CASE WHEN n > 1 THEN '_' || n ELSE '' END, id, 'notified', '{}', clock_timestamp()
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM found
                  WHERE NOT is_known AND (is_news OR next_check_at IS NULL OR next_check_at > due_at)) told
       )
       SELECT id, provider_id, NOT is_known AND due_at <= now() AS is_due FROM found`,
      { paymentRequestId, providerIds: [...providerIds], reportsPaid, entryId, sessionId }
    )
    return rows
  }
}
