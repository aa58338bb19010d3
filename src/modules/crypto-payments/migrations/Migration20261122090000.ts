import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Reports of the audit, and the announcement of orders that are refunded already. */
export class Migration20261122090000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "crypto_payment_audit" ("id" text not null, "ran_at" timestamptz not null, "versions" text not null, "report" jsonb not null, "is_event_due" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_audit_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_audit_deleted_at" ON "crypto_payment_audit" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_audit_ran_at" ON "crypto_payment_audit" ("ran_at") WHERE deleted_at IS NULL;`
    )
    // An order can be refunded in full before its order.placed was heard.
    this.addSql(`drop index if exists "IDX_crypto_payment_request_order_unannounced";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_order_unannounced" ON "crypto_payment_request" ("settled_at") WHERE order_announced_at IS NULL AND cart_id IS NOT NULL AND (state = 'captured' OR state = 'refunded' AND order_id IS NOT NULL) AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "crypto_payment_audit" cascade;`)
    this.addSql(`drop index if exists "IDX_crypto_payment_request_order_unannounced";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_order_unannounced" ON "crypto_payment_request" ("settled_at") WHERE order_announced_at IS NULL AND cart_id IS NOT NULL AND state = 'captured' AND deleted_at IS NULL;`
    )
  }
}
