import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * One gateway payment has one row, and a payment session has one row: docs/adr/0010-what-identifies-a-gateway-account.md.
 * Rows that break this are mended first, so that no money is dropped: what cannot be told for certain gets a case. The
 * table is locked until the end, so that nothing is added between mending and the indexes.
 */
export class Migration20261122043000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(ADD_ACCOUNT)
    this.addSql(
      `update "crypto_payment_request" set "gateway_account" = "gateway_origin" where "gateway_account" <> "gateway_origin";`
    )
    this.addSql(
      `alter table "crypto_payment_provider_status" add column if not exists "gateway_account" text null;`
    )
    this.addSql(NAME_ACCOUNTS)
    this.addSql(FIND_REPEATED_IDS)
    this.addSql(`create index on "crypto_payment_repeated" ("provider_id", "payment_request_id");`)
    this.addSql(`analyze "crypto_payment_repeated";`)
    this.addSql(MERGE_RECORDED_TWICE)
    this.addSql(PAY_WHAT_IS_BOUND)
    this.addSql(UNBIND_RIVALS)
    this.addSql(`drop table "crypto_payment_in_doubt";`)
    this.addSql(`drop table "crypto_payment_repeated";`)

    this.addSql(`drop index if exists "IDX_crypto_payment_request_gateway_origin_payment_request_id_unique";`)
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_gateway_account_payment_request_id_unique" ON "crypto_payment_request" ("gateway_account", "payment_request_id") WHERE payment_request_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_one_live" ON "crypto_payment_request" ("session_id") WHERE state <> 'closed' AND session_id = ANY (session_ids) AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_paid_session_id_unique" ON "crypto_payment_request" ("paid_session_id") WHERE paid_session_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(FILL_IN_ACCOUNT)
    this.addSql(`drop trigger if exists "crypto_payment_request_account" on "crypto_payment_request";`)
    this.addSql(
      `create trigger "crypto_payment_request_account" before insert on "crypto_payment_request" for each row when (new.gateway_account is null) execute function crypto_payment_fill_in_account();`
    )
  }

  /** What was mended stays so. The former index is made again unless accounts of one address have ids in common. */
  override async down(): Promise<void> {
    this.addSql(`drop trigger if exists "crypto_payment_request_account" on "crypto_payment_request";`)
    this.addSql(`drop function if exists crypto_payment_fill_in_account();`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_paid_session_id_unique";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_one_live";`)
    this.addSql(
      `drop index if exists "IDX_crypto_payment_request_gateway_account_payment_request_id_unique";`
    )
    this.addSql(FORMER_INDEX)
    this.addSql(`alter table "crypto_payment_provider_status" drop column if exists "gateway_account";`)
    this.addSql(`alter table "crypto_payment_request" drop column if exists "gateway_account";`)
  }
}

/** A constant default costs no rewrite of the table, so the address most rows have is it, for a moment. */
const ADD_ACCOUNT = `
  DO $$
  DECLARE most text;
  BEGIN
    LOCK TABLE crypto_payment_request IN ACCESS EXCLUSIVE MODE;
    SELECT gateway_origin INTO most FROM crypto_payment_request GROUP BY 1 ORDER BY count(*) DESC LIMIT 1;
    EXECUTE format(
      'ALTER TABLE crypto_payment_request ADD COLUMN IF NOT EXISTS gateway_account text NOT NULL DEFAULT %L',
      COALESCE(most, ''));
    ALTER TABLE crypto_payment_request ALTER COLUMN gateway_account DROP DEFAULT;
  END $$;`

/** The account a provider uses is the address its newest row was made at. */
const NAME_ACCOUNTS = `
  INSERT INTO crypto_payment_provider_status (id, gateway_account)
  SELECT DISTINCT ON (provider_id) provider_id, gateway_origin
    FROM crypto_payment_request WHERE deleted_at IS NULL ORDER BY provider_id, created_at DESC, id DESC
  ON CONFLICT (id) DO UPDATE SET gateway_account = EXCLUDED.gateway_account;`

/** Which of two rows is kept: the one whose money has come furthest, else the older one. */
const BEST_FIRST = (row: string): string =>
  `(CASE WHEN ${row}.paid_session_id IS NULL THEN 1 ELSE 0 END,
    COALESCE(${row}.captured_at, 'infinity'), COALESCE(${row}.paid_at, 'infinity'),
    CASE WHEN ${row}.order_id IS NULL THEN 1 ELSE 0 END,
    CASE WHEN ${row}.state IN ('creating', 'open') THEN 0 ELSE 1 END, ${row}.created_at, ${row}.id)`

const NEW_ID = `'cpact_' || md5(random()::text || clock_timestamp()::text || r.id)`

/** A table with an index, for the pairs below are looked for by it: a store may have any number of them. */
const FIND_REPEATED_IDS = `
  CREATE TABLE crypto_payment_repeated AS
  SELECT r.*, ARRAY(SELECT regexp_replace(s, '^stray:', '') FROM unnest(r.session_ids) s) AS sessions
    FROM crypto_payment_request r
    JOIN (SELECT provider_id, payment_request_id FROM crypto_payment_request
           WHERE payment_request_id IS NOT NULL AND deleted_at IS NULL
           GROUP BY 1, 2 HAVING count(*) > 1) twice USING (provider_id, payment_request_id)
   WHERE r.deleted_at IS NULL;`

/**
 * When the address of a gateway had changed, the comparison with its list made a second row of the same payment: same
 * provider and id, another address, a session in common. The second row is removed when its money is certainly the
 * first's. Any other is in doubt.
 */
const MERGE_RECORDED_TWICE = `
  CREATE TABLE crypto_payment_in_doubt AS
  WITH pairs AS (
    SELECT DISTINCT ON (r.id) r.id, k.id AS kept_id,
           (r.refund_registered_at IS NOT NULL OR r.state = 'refunded'
            OR EXISTS (SELECT 1 FROM crypto_payment_refund f WHERE f.request_id = r.id AND f.deleted_at IS NULL)
            OR r.gateway_amount::numeric <> k.gateway_amount::numeric
            OR r.gateway_currency_symbol <> k.gateway_currency_symbol
            OR r.amount::numeric <> k.amount::numeric OR r.currency_code <> k.currency_code
            OR r.paid_session_id <> k.paid_session_id OR r.order_id <> k.order_id) IS TRUE AS in_doubt
      FROM crypto_payment_repeated r
      JOIN crypto_payment_repeated k ON k.provider_id = r.provider_id AND k.payment_request_id = r.payment_request_id
       AND k.gateway_origin <> r.gateway_origin AND k.sessions && r.sessions
       AND ${BEST_FIRST("k")} < ${BEST_FIRST("r")}
     ORDER BY r.id, ${BEST_FIRST("k")}
  ), removed AS (
    UPDATE crypto_payment_request r SET deleted_at = now(), lease_until = NULL, updated_at = now()
      FROM pairs p WHERE p.id = r.id AND NOT p.in_doubt
    RETURNING r.id, p.kept_id, r.gateway_origin, r.gateway_status
  ), noted AS (
    INSERT INTO crypto_payment_activity (id, request_id, type, detail)
    SELECT ${NEW_ID}, r.kept_id, 'checked', jsonb_build_object('status', r.gateway_status, 'note',
             'This payment had a second record, ' || r.id || ', made when the gateway''s address changed to or from '
             || r.gateway_origin || '. It was removed.')
      FROM removed r
  )
  SELECT id, kept_id FROM pairs WHERE in_doubt;`

/** A row is bound to the session it pays. */
const PAY_WHAT_IS_BOUND = `
  UPDATE crypto_payment_request
     SET session_id = paid_session_id,
         session_ids = CASE WHEN paid_session_id = ANY(session_ids) THEN session_ids
                            ELSE array_append(session_ids, paid_session_id) END
   WHERE paid_session_id <> session_id AND deleted_at IS NULL;`

/**
 * Of the rows that are bound to one session, one keeps it; the others, and the rows in doubt, are bound to none, so
 * that their money is taken for nobody else's, and what is paid of them gets a case.
 */
const UNBIND_RIVALS = `
  WITH ranked AS (
    SELECT r.id, first_value(r.id) OVER best AS kept_id, row_number() OVER best AS place
      FROM crypto_payment_request r
      JOIN (SELECT session_id FROM crypto_payment_request WHERE deleted_at IS NULL
             GROUP BY 1 HAVING count(*) > 1) shared USING (session_id)
     WHERE r.deleted_at IS NULL
    WINDOW best AS (PARTITION BY r.session_id
      ORDER BY r.id IN (SELECT id FROM crypto_payment_in_doubt), ${BEST_FIRST("r")})
  ), rivals AS (
    SELECT id, kept_id FROM crypto_payment_in_doubt
     UNION
    SELECT id, kept_id FROM ranked WHERE place > 1 AND id NOT IN (SELECT id FROM crypto_payment_in_doubt)
  ), unbound AS (
    UPDATE crypto_payment_request r
       SET session_id = CASE WHEN r.session_id LIKE 'stray:%' THEN '' ELSE 'stray:' END || r.session_id || ':' || r.id,
           paid_session_id = NULL,
           captured_at = NULL,
           settled_at = NULL,
           state = CASE WHEN r.state = 'refunded' THEN 'refunded' WHEN r.paid_at IS NULL THEN 'closed' ELSE 'paid' END,
           next_check_at = CASE WHEN r.state = 'refunded' OR r.payment_request_id IS NULL THEN NULL ELSE now() END,
           attention_reason = CASE WHEN case_.is_new THEN 'duplicate_payment' ELSE r.attention_reason END,
           attention_since = CASE WHEN case_.is_new THEN now() ELSE r.attention_since END,
           attention_resolved_at = CASE WHEN case_.is_new THEN NULL ELSE r.attention_resolved_at END,
           attention_note = CASE WHEN case_.is_new THEN NULL ELSE r.attention_note END,
           lease_until = NULL,
           updated_at = now()
      FROM rivals v
      JOIN crypto_payment_request o ON o.id = v.id
     CROSS JOIN LATERAL (
       SELECT o.paid_at IS NOT NULL AND o.attention_reason IS DISTINCT FROM 'duplicate_payment'
          AND (o.session_id NOT LIKE 'stray:%' OR o.id IN (SELECT id FROM crypto_payment_in_doubt)) AS is_new
     ) case_
     WHERE r.id = v.id
    RETURNING r.id, v.kept_id, case_.is_new
  )
  INSERT INTO crypto_payment_activity (id, request_id, type, detail)
  SELECT ${NEW_ID}, r.id, CASE WHEN r.is_new THEN 'attention' ELSE 'superseded' END,
         jsonb_build_object('reason', CASE WHEN r.is_new THEN 'duplicate_payment' END, 'note',
           'This payment and ' || r.kept_id || ' were recorded for one payment session, or were recorded twice when the '
           || 'gateway''s address changed. Compare them with the gateway''s dashboard before money is sent back.')
    FROM unbound r;`

/**
 * An instance of the former release, which runs on for the length of a rolling upgrade, does not know the column: its
 * rows belong to the account the provider uses.
 */
const FILL_IN_ACCOUNT = `
  CREATE OR REPLACE FUNCTION crypto_payment_fill_in_account() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.gateway_account := COALESCE(
      (SELECT s.gateway_account FROM crypto_payment_provider_status s WHERE s.id = NEW.provider_id),
      NEW.gateway_origin);
    RETURN NEW;
  END $$;`

const FORMER_INDEX = `
  DO $$
  BEGIN
    CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_gateway_origin_payment_request_id_unique"
      ON crypto_payment_request (gateway_origin, payment_request_id)
      WHERE payment_request_id IS NOT NULL AND deleted_at IS NULL;
  EXCEPTION WHEN unique_violation THEN
    RAISE WARNING 'crypto_payment_request: one address has several accounts, so its former unique index is left out';
  END $$;`
