import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"
import { REQUESTS } from "./request-sql"

/** The process that wrote an announcement sends it at once. After this, the schedule does. */
const SWEEP_AFTER = "30 seconds"

/** The columns that write an announcement down beside those that wait already, for an UPDATE of its row. */
export function addAnnouncements(knex: Knex, added: PendingAnnouncement[]): Record<string, unknown> {
  if (added.length === 0) {
    return {}
  }
  return {
    announcements: knex.raw("COALESCE(announcements, '[]'::jsonb) || ?::jsonb", [JSON.stringify(added)]),
    announce_at: knex.raw(`now() + interval '${SWEEP_AFTER}'`),
  }
}

/** Rows whose announcements were written down and not sent in time, the oldest first. */
export async function listUnannounced(knex: Knex, limit: number): Promise<CryptoPaymentRequestRow[]> {
  return await knex<CryptoPaymentRequestRow>(REQUESTS)
    .whereRaw("announce_at <= now()")
    .whereNull("deleted_at")
    .orderBy("announce_at")
    .limit(limit)
}

/** Removes what was sent. What was written down meanwhile stays. */
export async function removeAnnouncements(
  knex: Knex,
  id: string,
  sent: readonly PendingAnnouncement[]
): Promise<void> {
  await knex.raw(
    `UPDATE ${REQUESTS} r SET announcements = left_over.entries,
            announce_at = CASE WHEN left_over.entries IS NULL THEN NULL ELSE r.announce_at END
       FROM (SELECT q.id, jsonb_agg(entry) FILTER (WHERE NOT entry ->> 'event_id' = ANY(:sent)) AS entries
               FROM ${REQUESTS} q, jsonb_array_elements(q.announcements) AS entry
              WHERE q.id = :id AND jsonb_typeof(q.announcements) = 'array' GROUP BY q.id) left_over
      WHERE r.id = left_over.id`,
    { id, sent: sent.map(({ event_id }) => event_id) }
  )
}
