import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Made by `medusa plugin:db:generate`, but for what a model cannot express: the indexes at the end of `up`, and the
 * `bigserial` of the timeline.
 */
export class Migration20261125152050 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_settings" drop constraint if exists "crypto_payment_settings_provider_id_unique";`
    )
    this.addSql(
      `alter table if exists "crypto_payment_request" drop constraint if exists "crypto_payment_request_paid_session_id_unique";`
    )
    this.addSql(
      `alter table if exists "crypto_payment_page" drop constraint if exists "crypto_payment_page_order_id_unique";`
    )
    this.addSql(
      `alter table if exists "crypto_payment_refund" drop constraint if exists "crypto_payment_refund_request_id_reference_digest_unique";`
    )
    this.addSql(
      `create table if not exists "crypto_payment_activity" ("id" text not null, "position" bigserial, "request_id" text not null, "type" text check ("type" in ('created', 'reused', 'notified', 'checked', 'refused', 'superseded', 'closed', 'paid', 'captured', 'settled', 'attention', 'resolved', 'refund', 'applied')) not null, "detail" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_activity_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_activity_deleted_at" ON "crypto_payment_activity" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_activity_request_id_created_at" ON "crypto_payment_activity" ("request_id", "created_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_audit" ("id" text not null, "ran_at" timestamptz not null, "report" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_audit_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_audit_deleted_at" ON "crypto_payment_audit" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_page" ("id" text not null, "order_id" text not null, "provider_id" text not null, "nonce" text not null, "token_digests" text[] not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_page_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_page_deleted_at" ON "crypto_payment_page" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_page_order_id_unique" ON "crypto_payment_page" ("order_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_page_token_digests" ON "crypto_payment_page" USING GIN ("token_digests") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_provider_status" ("id" text not null, "last_webhook_at" timestamptz null, "last_refused_webhook_at" timestamptz null, "last_refused_webhook_reason" text null, "former_key_used_at" timestamptz null, "last_checkout_failed_at" timestamptz null, "last_checkout_failure_code" text null, "last_checkout_failure_host" text null, "set_up_address" text null, "self_test_nonce" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_provider_status_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_provider_status_deleted_at" ON "crypto_payment_provider_status" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_reconciliation" ("id" text not null, "run_id" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "problem" text null, "compared_at" timestamptz null, "report" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_reconciliation_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_reconciliation_deleted_at" ON "crypto_payment_reconciliation" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_refund" ("id" text not null, "request_id" text not null, "amount" text not null, "reference" text not null, "reference_digest" text not null, "note" text null, "created_by" text null, "refund_reason_id" text null, "state" text check ("state" in ('registered', 'applied')) not null default 'registered', "medusa_refund_id" text null, "applied_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_refund_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_deleted_at" ON "crypto_payment_refund" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_request_id_reference_digest_unique" ON "crypto_payment_refund" ("request_id", "reference_digest") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_medusa_refund_id" ON "crypto_payment_refund" ("medusa_refund_id") WHERE medusa_refund_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_registered" ON "crypto_payment_refund" ("updated_at") WHERE state = 'registered' AND deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_request" ("id" text not null, "provider_id" text not null, "gateway_origin" text not null, "payment_request_id" text null, "payment_link" text null, "session_id" text not null, "session_ids" text[] not null, "paid_session_id" text null, "payment_collection_id" text null, "cart_id" text null, "order_id" text null, "unpaid_ttl_minutes" integer null, "remind_at" timestamptz null, "amount" text not null, "currency_code" text not null, "payer_digest" text null, "state" text check ("state" in ('creating', 'open', 'superseded', 'closed', 'paid', 'captured', 'refunded')) not null default 'creating', "gateway_status" text null, "status_since" timestamptz null, "gateway_amount" text null, "gateway_currency_symbol" text null, "paid_amount" text null, "payment_currency" text null, "payment_amount" text null, "receiving_amount" text null, "fee_amount" text null, "fee_paid_by" text null, "ref_id" text null, "paid_at" timestamptz null, "captured_at" timestamptz null, "settled_at" timestamptz null, "refund_registered_at" timestamptz null, "attention_reason" text null, "attention_since" timestamptz null, "attention_resolved_at" timestamptz null, "attention_note" text null, "attention_amount" text null, "other_payments" text null, "failure" text check ("failure" in ('refused', 'unreadable', 'unknown_to_gateway', 'provider_missing', 'former_address')) null, "failing_since" timestamptz null, "unread_since" timestamptz null, "last_checked_at" timestamptz null, "last_webhook_at" timestamptz null, "notified_at" timestamptz null, "is_reported_paid" boolean not null default false, "is_listed_paid" boolean not null default false, "denied_at" timestamptz null, "next_check_at" timestamptz null, "check_requested_at" timestamptz null, "check_trigger" text null, "completion_began_at" timestamptz null, "lease_id" text null, "lease_until" timestamptz null, "settles_begun" integer not null default 0, "announcements" jsonb null, "announce_at" timestamptz null, "order_announced_at" timestamptz null, "order_placed_sent_at" timestamptz null, "offered_by_merchant_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_request_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_deleted_at" ON "crypto_payment_request" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_one_payment" ON "crypto_payment_request" ("provider_id", "gateway_origin", "payment_request_id") WHERE payment_request_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_request_id" ON "crypto_payment_request" ("payment_request_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_session_id" ON "crypto_payment_request" ("session_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_one_live" ON "crypto_payment_request" ("session_id") WHERE state <> 'closed' AND session_id = ANY (session_ids) AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_paid_session_id_unique" ON "crypto_payment_request" ("paid_session_id") WHERE paid_session_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_session_ids" ON "crypto_payment_request" USING GIN ("session_ids") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_cart_id" ON "crypto_payment_request" ("cart_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_order_id" ON "crypto_payment_request" ("order_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_ref_id" ON "crypto_payment_request" ("ref_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_collection_id" ON "crypto_payment_request" ("payment_collection_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_one_open" ON "crypto_payment_request" ("payment_collection_id", "provider_id", "amount", "currency_code", "payer_digest") WHERE state IN ('creating', 'open') AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_next_check_at" ON "crypto_payment_request" ("next_check_at") WHERE next_check_at IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_check_asked" ON "crypto_payment_request" ("next_check_at") WHERE check_trigger IS NOT NULL AND next_check_at IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_announce_at" ON "crypto_payment_request" ("announce_at") WHERE announce_at IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_settled_on_order" ON "crypto_payment_request" ("settled_at", "id") WHERE state = 'captured' AND settled_at IS NOT NULL AND order_id IS NOT NULL AND attention_reason IS DISTINCT FROM 'paid_without_order' AND next_check_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_order_unannounced" ON "crypto_payment_request" ("settled_at") WHERE order_announced_at IS NULL AND cart_id IS NOT NULL AND (state = 'captured' OR state = 'refunded' AND order_id IS NOT NULL) AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_unfinished" ON "crypto_payment_request" ("id") WHERE next_check_at IS NULL AND settled_at IS NULL AND paid_at IS NOT NULL AND state IN ('paid', 'captured') AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_created_at_id" ON "crypto_payment_request" ("created_at", "id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_attention_since" ON "crypto_payment_request" ("attention_since") WHERE attention_reason IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_state_created_at" ON "crypto_payment_request" ("state", "created_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_paid_at" ON "crypto_payment_request" ("paid_at") WHERE paid_at IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_provider_id" ON "crypto_payment_request" ("provider_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_currency_created_at" ON "crypto_payment_request" ("payment_currency", "created_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_settings" ("id" text not null, "provider_id" text not null, "version" integer not null, "values" jsonb not null, "secrets" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_settings_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_settings_deleted_at" ON "crypto_payment_settings" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_settings_provider_id_unique" ON "crypto_payment_settings" ("provider_id") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_amount_numeric" ON "crypto_payment_request" (("amount"::numeric)) WHERE deleted_at IS NULL;`
    )
    // The sweep of cases about sums reads only the index.
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_case_of_sum" ON "crypto_payment_request" ("attention_since", "id") INCLUDE ("order_id", "attention_reason", "attention_amount") WHERE attention_amount IS NOT NULL AND attention_resolved_at IS NULL AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "crypto_payment_activity" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_audit" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_page" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_provider_status" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_reconciliation" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_refund" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_request" cascade;`)
    this.addSql(`drop table if exists "crypto_payment_settings" cascade;`)
  }
}
