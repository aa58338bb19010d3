import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Columns a search finds by their beginning. */
const SEARCHED = ["id", "payment_request_id", "session_id", "cart_id", "order_id", "ref_id"]

export class Migration20261121072846 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_settings" drop constraint if exists "crypto_payment_settings_provider_id_unique";`
    )
    this.addSql(
      `alter table if exists "crypto_payment_connection" drop constraint if exists "crypto_payment_connection_provider_id_origin_unique";`
    )
    this.addSql(
      `create table if not exists "crypto_payment_connection" ("id" text not null, "provider_id" text not null, "origin" text not null, "base_url" text not null, "sealed" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_connection_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_connection_deleted_at" ON "crypto_payment_connection" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_connection_provider_id_origin_unique" ON "crypto_payment_connection" ("provider_id", "origin") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_provider_status" ("id" text not null, "last_webhook_at" timestamptz null, "last_refused_webhook_at" timestamptz null, "last_refused_webhook_reason" text check ("last_refused_webhook_reason" in ('wrong_secret', 'malformed', 'not_configured', 'too_large')) null, "self_test_hash" text null, "self_test_expires_at" timestamptz null, "reconciliation_started_at" timestamptz null, "reconciliation_lease_until" timestamptz null, "reconciliation_report" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_provider_status_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_provider_status_deleted_at" ON "crypto_payment_provider_status" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "crypto_payment_settings" ("id" text not null, "provider_id" text not null, "version" integer not null, "plain" jsonb not null, "secrets" jsonb not null, "bound_base_url" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_settings_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_settings_deleted_at" ON "crypto_payment_settings" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_crypto_payment_settings_provider_id_unique" ON "crypto_payment_settings" ("provider_id") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_created_at" ON "crypto_payment_request" ("created_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_attention_since" ON "crypto_payment_request" ("attention_since") WHERE attention_reason IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_state_created_at" ON "crypto_payment_request" ("state", "created_at") WHERE deleted_at IS NULL;`
    )
    // LIKE 'beginning%' uses a btree only with this operator class, unless the database has the C collation.
    for (const column of SEARCHED) {
      this.addSql(
        `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_${column}_beginning" ON "crypto_payment_request" ("${column}" text_pattern_ops) WHERE deleted_at IS NULL;`
      )
    }
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_amount_numeric" ON "crypto_payment_request" (("amount"::numeric)) WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_paid_at" ON "crypto_payment_request" ("paid_at") WHERE paid_at IS NOT NULL AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "crypto_payment_connection" cascade;`)

    this.addSql(`drop table if exists "crypto_payment_provider_status" cascade;`)

    this.addSql(`drop table if exists "crypto_payment_settings" cascade;`)

    this.addSql(`drop index if exists "IDX_crypto_payment_request_created_at";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_attention_since";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_state_created_at";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_paid_at";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_amount_numeric";`)
    for (const column of SEARCHED) {
      this.addSql(`drop index if exists "IDX_crypto_payment_request_${column}_beginning";`)
    }
  }
}
