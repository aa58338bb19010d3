import { DUE_NOW, IS_REPORT_NEWS, REQUESTS, STRAY } from "../payment-requests/request-sql"

/** Anybody who uses the account can write notes. Ours are payment session ids and nothing else. */
const SESSION_ID_PATTERN = /^payses_[A-Za-z0-9]{1,64}$/

/** The session a note names; null when it is not one of ours. */
export function sessionOfNote(note: unknown): string | null {
  return typeof note === "string" && SESSION_ID_PATTERN.test(note) ? note : null
}

/** Whose list is read. */
export interface ListScope {
  providerId: string
  origin: string
}

export interface MatchedRequest {
  payment_request_id: string
  /** The session that the listed note names. */
  note: string | null
  id: string | null
  /** The list says PAID, or what may mean it, and the row did not. */
  is_made_due: boolean
  /** If there is no row: the row of a creation for this session that was never answered. */
  incomplete_id: string | null
}

/** Figures that a gateway may know only after it has said PAID. They decide nothing. */
const LATE_FIGURES = "payment_currency payment_amount receiving_amount fee_amount fee_paid_by ref_id".split(
  " "
)
const LATE = (of: (column: string) => string, separator: string): string =>
  LATE_FIGURES.map(of).join(separator)

const HAS_ITS_NOTE = `r.session_ids && ARRAY[l.note, '${STRAY}' || l.note]`
const IS_OF_LIST = "(r.provider_id = :providerId AND r.gateway_origin = :origin)"

/**
 * The row of the listed request `l`. If the note names a session of the row, at any address, because session ids are
 * unique. Otherwise by provider, address and id, unless the note names another session that is known here: then it is
 * another payment. Rows of that session are counted because, to find out whether one exists, Postgres would read the
 * whole table: it does not know how rare a session is in an array.
 */
const OWN_ROW = `
  SELECT r.* FROM ${REQUESTS} r
   WHERE r.payment_request_id = l.payment_request_id AND r.deleted_at IS NULL
     AND (${HAS_ITS_NOTE}
          OR ${IS_OF_LIST}
             AND (l.note IS NULL
                  OR NOT EXISTS (SELECT 1 FROM payment_session s WHERE s.id = l.note)
                     AND 0 = (SELECT count(*) FROM ${REQUESTS} k
                               WHERE k.session_ids @> ARRAY[l.note] AND k.deleted_at IS NULL)))
   ORDER BY (${HAS_ITS_NOTE}) DESC, ${IS_OF_LIST} DESC, r.created_at
   LIMIT 1`

/**
 * The row of a listed request, or the row of its session whose creation got no answer. Makes a paid request's row due
 * unless PAID is recorded, and gives a recorded one the figures that it lacks.
 */
export const MATCH_LISTED = `
  WITH listed AS (
    SELECT * FROM jsonb_to_recordset(CAST(:listed AS jsonb))
      AS l(payment_request_id text, note text, is_paid boolean, has_unknown_word boolean, gateway_status text, ${LATE((column) => `${column} text`, ", ")})
  ), matched AS MATERIALIZED (
    SELECT l.*, own.id, own.paid_at
      FROM listed l LEFT JOIN LATERAL (${OWN_ROW}) own ON true
  ), changed AS (
    SELECT r.id FROM ${REQUESTS} r JOIN matched l ON l.id = r.id
     WHERE l.is_paid AND (r.paid_at IS NULL OR ${LATE((column) => `(r.${column} IS NULL AND l.${column} IS NOT NULL)`, " OR ")})
        OR l.has_unknown_word AND r.paid_at IS NULL AND r.gateway_status IS DISTINCT FROM l.gateway_status
     ORDER BY r.id
       FOR UPDATE OF r
  ), due AS (
    UPDATE ${REQUESTS} r SET ${DUE_NOW()},
           notified_at = CASE WHEN l.gateway_status = 'PAID' AND NOT r.is_listed_paid AND ${IS_REPORT_NEWS} THEN now()
             ELSE r.notified_at END,
           is_reported_paid = r.is_reported_paid OR COALESCE(l.gateway_status = 'PAID', false),
           is_listed_paid = r.is_listed_paid OR COALESCE(l.gateway_status = 'PAID', false)
      FROM changed JOIN matched l ON l.id = changed.id
     WHERE r.id = changed.id AND r.paid_at IS NULL
    RETURNING r.id
  ), completed AS (
    UPDATE ${REQUESTS} r SET ${LATE((column) => `${column} = COALESCE(r.${column}, l.${column})`, ", ")}
      FROM changed JOIN matched l ON l.id = changed.id
     WHERE r.id = changed.id AND r.paid_at IS NOT NULL
  )
  SELECT l.payment_request_id,
         l.note,
         l.id,
         due.id IS NOT NULL AS is_made_due,
         incomplete.id AS incomplete_id
    FROM matched l
    LEFT JOIN due ON due.id = l.id
    LEFT JOIN LATERAL (
      SELECT r.id FROM ${REQUESTS} r
       WHERE l.id IS NULL AND r.session_id = l.note AND r.payment_request_id IS NULL AND r.deleted_at IS NULL
       LIMIT 1
    ) incomplete ON true`
