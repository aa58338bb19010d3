import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The last checkout that failed, and the history of comparisons with the gateway's list. */
export class Migration20261122184500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_provider_status" add column if not exists "last_checkout_failed_at" timestamptz null, add column if not exists "last_checkout_failure_code" text null, add column if not exists "last_checkout_failure_host" text null;`
    )
    this.addSql(
      `create table if not exists "crypto_payment_reconciliation" ("id" text not null, "provider_id" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "outcome" text check ("outcome" in ('complete', 'incomplete', 'failed')) null, "problem" text null, "started_by_type" text check ("started_by_type" in ('user', 'api_key', 'schedule', 'script')) not null, "started_by_id" text null, "report" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_reconciliation_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_reconciliation_deleted_at" ON "crypto_payment_reconciliation" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_reconciliation_provider_id_started_at" ON "crypto_payment_reconciliation" ("provider_id", "started_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "crypto_payment_reconciliation" cascade;`)
    this.addSql(
      `alter table if exists "crypto_payment_provider_status" drop column if exists "last_checkout_failed_at", drop column if exists "last_checkout_failure_code", drop column if exists "last_checkout_failure_host";`
    )
    await Promise.resolve()
  }
}
