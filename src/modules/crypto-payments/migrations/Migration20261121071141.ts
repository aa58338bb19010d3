import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121071141 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" drop constraint if exists "crypto_payment_request_gateway_origin_payment_request_id_unique";`
    )
    this.addSql(
      `alter table if exists "crypto_payment_refund" drop constraint if exists "crypto_payment_refund_request_id_reference_unique";`
    )
    this.addSql(
      `create table if not exists "crypto_payment_activity" ("id" text not null, "request_id" text not null, "type" text check ("type" in ('created', 'reused', 'notified', 'checked', 'refused', 'superseded', 'closed', 'paid', 'captured', 'settled', 'attention', 'resolved', 'refund')) not null, "detail" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_activity_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_activity_deleted_at" ON "crypto_payment_activity" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_activity_request_id_created_at" ON "crypto_payment_activity" ("request_id", "created_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_refund" ("id" text not null, "request_id" text not null, "amount" text not null, "reference" text not null, "note" text null, "created_by" text null, "state" text check ("state" in ('registered', 'applied')) not null default 'registered', "medusa_refund_id" text null, "applied_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_refund_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_deleted_at" ON "crypto_payment_refund" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_request_id_reference_unique" ON "crypto_payment_refund" ("request_id", "reference") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_request" ("id" text not null, "provider_id" text not null, "gateway_origin" text not null, "payment_request_id" text null, "payment_link" text null, "session_id" text not null, "session_ids" text[] not null, "paid_session_id" text null, "payment_collection_id" text null, "cart_id" text null, "order_id" text null, "amount" text not null, "currency_code" text not null, "payer_digest" text null, "state" text check ("state" in ('creating', 'open', 'superseded', 'closed', 'paid', 'captured', 'refunded')) not null default 'creating', "gateway_status" text null, "gateway_amount" text null, "gateway_currency_symbol" text null, "payment_currency" text null, "payment_amount" text null, "receiving_amount" text null, "fee_amount" text null, "fee_paid_by" text null, "ref_id" text null, "paid_at" timestamptz null, "captured_at" timestamptz null, "settled_at" timestamptz null, "refund_registered_at" timestamptz null, "attention_reason" text null, "attention_since" timestamptz null, "attention_resolved_at" timestamptz null, "attention_note" text null, "failure" text check ("failure" in ('refused', 'unreadable')) null, "failing_since" timestamptz null, "last_checked_at" timestamptz null, "last_webhook_at" timestamptz null, "next_check_at" timestamptz null, "check_requested_at" timestamptz null, "lease_until" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_request_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_deleted_at" ON "crypto_payment_request" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_gateway_origin_payment_request_id_unique" ON "crypto_payment_request" ("gateway_origin", "payment_request_id") WHERE payment_request_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_request_id" ON "crypto_payment_request" ("payment_request_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_session_id" ON "crypto_payment_request" ("session_id") WHERE deleted_at IS NULL;`
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
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_collection_id" ON "crypto_payment_request" ("payment_collection_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_request_one_open" ON "crypto_payment_request" ("payment_collection_id", "provider_id", "amount", "currency_code", "payer_digest") WHERE state IN ('creating', 'open') AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_next_check_at" ON "crypto_payment_request" ("next_check_at") WHERE next_check_at IS NOT NULL AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "crypto_payment_activity" cascade;`)

    this.addSql(`drop table if exists "crypto_payment_refund" cascade;`)

    this.addSql(`drop table if exists "crypto_payment_request" cascade;`)
  }
}
