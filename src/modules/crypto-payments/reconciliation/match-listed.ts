import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const TABLE = "crypto_payment_request"

/** One entry of the gateway's list. */
export interface ListedRequest {
  payment_request_id: string
  /** Only when it looks like a payment session's id, else null. */
  note: string | null
  is_paid: boolean
}

/** What the ledger has for one entry of the list. */
export interface MatchedRequest extends Omit<ListedRequest, "is_paid"> {
  /** The ledger row of this payment request. */
  id: string | null
  /** The list says PAID and the row did not: it is due now. */
  is_made_due: boolean
  /** Without a row: the row of a creation for this session whose answer never came. */
  half_id: string | null
  /** Without a row: another row this session was bound to. */
  kin_id: string | null
  /** Without a row: the session exists in Medusa. */
  has_session: boolean
}

/**
 * The row a listed request has; and where it has none, what else is known of the session its note names. A paid
 * request's row is made due unless its PAID is recorded already.
 *
 * `OFFSET 0` keeps Postgres from walking all history in the order of its creation, on the chance of meeting the session:
 * it does not know how rare a session is in an array.
 */
const MATCH_SQL = `
  WITH listed AS (
    SELECT payment_request_id, note, is_paid
      FROM jsonb_to_recordset(CAST(:listed AS jsonb)) AS l(payment_request_id text, note text, is_paid boolean)
  ), unrecorded AS (
    SELECT r.id
      FROM listed l
      JOIN ${TABLE} r ON r.gateway_origin = :origin AND r.payment_request_id = l.payment_request_id
     WHERE l.is_paid AND r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL AND r.paid_at IS NULL
     ORDER BY r.id
       FOR UPDATE OF r
  ), due AS (
    UPDATE ${TABLE} r SET next_check_at = now(), check_requested_at = now()
      FROM unrecorded u
     WHERE r.id = u.id AND r.paid_at IS NULL
    RETURNING r.id
  )
  SELECT l.payment_request_id,
         l.note,
         own.id,
         due.id IS NOT NULL AS is_made_due,
         half.id AS half_id,
         kin.id AS kin_id,
         EXISTS (SELECT 1 FROM payment_session s
                  WHERE own.id IS NULL AND s.id = l.note AND s.provider_id = :providerId
                    AND s.deleted_at IS NULL) AS has_session
    FROM listed l
    LEFT JOIN ${TABLE} own
      ON own.gateway_origin = :origin AND own.payment_request_id = l.payment_request_id
     AND own.payment_request_id IS NOT NULL AND own.deleted_at IS NULL
    LEFT JOIN due ON due.id = own.id
    LEFT JOIN LATERAL (
      SELECT r.id FROM ${TABLE} r
       WHERE own.id IS NULL AND r.session_id = l.note AND r.payment_request_id IS NULL
         AND r.gateway_origin = :origin AND r.deleted_at IS NULL
       LIMIT 1
    ) half ON true
    LEFT JOIN LATERAL (
      SELECT k.id FROM (
        SELECT r.id, r.created_at FROM ${TABLE} r
         WHERE own.id IS NULL AND r.session_ids @> ARRAY[l.note] AND r.payment_request_id IS NOT NULL
           AND r.gateway_origin = :origin AND r.deleted_at IS NULL
        OFFSET 0
      ) k
      ORDER BY k.created_at LIMIT 1
    ) kin ON true`

/**
 * Finds the ledger rows of one page of the list and makes due those the list calls PAID and the ledger does not: one
 * statement, its cost by the page. The rows are locked in the order of their ids, so two runs cannot block each other.
 */
export async function matchListed(
  knex: Knex,
  origin: string,
  providerId: string,
  listed: ListedRequest[]
): Promise<MatchedRequest[]> {
  const { rows } = await knex.raw<{ rows: MatchedRequest[] }>(MATCH_SQL, {
    origin,
    providerId,
    listed: JSON.stringify(listed),
  })
  return rows
}
