import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { REQUESTS } from "./request-sql"

interface LeftSession {
  session_id: string
  request_id: string | null
  is_paid: boolean
}

/** Nobody can capture or delete these: medusa-config does not register their provider. */
export async function findSessionsOfMissingProviders(
  knex: Knex,
  collectionId: string,
  registered: readonly string[]
): Promise<LeftSession[]> {
  const { rows } = await knex.raw<{ rows: LeftSession[] }>(
    `SELECT s.id AS session_id, r.id AS request_id, COALESCE(r.paid_at IS NOT NULL AND r.state <> 'refunded', false) AS is_paid
       FROM payment_session s
       LEFT JOIN ${REQUESTS} r ON r.session_id = s.id AND r.deleted_at IS NULL
      WHERE s.payment_collection_id = :collectionId AND s.deleted_at IS NULL
        AND s.provider_id LIKE 'pp\\_crypto\\_%' AND s.provider_id <> ALL (:registered)
        AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_session_id = s.id AND p.deleted_at IS NULL)`,
    { collectionId, registered: [...registered] }
  )
  return rows
}

/** As core deletes a session: the row is removed. */
export async function deleteSession(knex: Knex, sessionId: string): Promise<void> {
  await knex("payment_session").where({ id: sessionId }).delete()
}
