import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { IS_FINAL, REQUESTS } from "./request-sql"

/** A repeated notification makes its row due at most this often. */
const REPEAT_INTERVAL = "1 minute"
const DIGEST_LENGTH = 32
/** Sixteen digests separated by spaces. */
const LONGEST_DIGESTS = 16 * (DIGEST_LENGTH + 1) - 1
const IS_REPEAT = "COALESCE(strpos(r.notification_digest, :digest) > 0, false)"

/** What is taken from a genuine notification. None of it decides anything. */
interface NotificationNews {
  paymentRequestId: string
  approvalHash: string
  /** The read is repeated soon, until it also says PAID. */
  reportsPaid: boolean
  /** The session that its note names. Two gateway accounts may have used the same id. */
  sessionId: string | null
}

/** A row that a notification was about; `is_due` when there is something to settle now. */
export type NotifiedRow = Pick<CryptoPaymentRequestRow, "id" | "provider_id"> & { is_due: boolean }

/** Genuine notifications: each is recorded at its row and makes it due. Repeats are recognised by their digest. */
export class RecordedNotifications {
  constructor(private readonly knex: Knex) {}

  /**
   * Records a genuine notification and makes its row due. Notifications may arrive out of order, so a later one does
   * not take PAID back. Each of the newest sixteen, when repeated, makes the row due at most once a minute and does not
   * start the quick checks again. Once the payment is known to be paid, a repeat changes nothing.
   *
   * @param providerIds the providers whose own key verifies it
   * @returns nothing when the request is not ours; several rows when several accounts have used the id and the note
   *   names none of them
   */
  async record(
    providerIds: readonly string[],
    { paymentRequestId, approvalHash, reportsPaid, sessionId }: NotificationNews
  ): Promise<NotifiedRow[]> {
    const hash = createHash("sha256").update(approvalHash.toLowerCase()).digest("hex")
    const digest = hash.slice(0, DIGEST_LENGTH)
    const entryId = generateEntityId(undefined, "cpact")
    const { rows } = await this.knex.raw<{ rows: NotifiedRow[] }>(
      `WITH found AS (
         SELECT r.id, ${IS_FINAL} AS is_final, ${IS_REPEAT} AS is_repeat,
                ${IS_REPEAT}
                  AND (r.paid_at IS NOT NULL
                       OR GREATEST(r.check_requested_at, r.last_checked_at, r.notified_at)
                          > now() - interval '${REPEAT_INTERVAL}') AS is_idle_repeat
           FROM ${REQUESTS} r
          WHERE r.payment_request_id = :paymentRequestId AND r.provider_id = ANY(:providerIds)
            AND r.deleted_at IS NULL
            AND (r.session_ids @> ARRAY[:sessionId]::text[] OR NOT EXISTS (
              SELECT 1 FROM ${REQUESTS} n WHERE n.payment_request_id = :paymentRequestId
                 AND n.session_ids @> ARRAY[:sessionId]::text[] AND n.deleted_at IS NULL))
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
      { paymentRequestId, providerIds: [...providerIds], digest, reportsPaid, entryId, sessionId }
    )
    return rows
  }
}
