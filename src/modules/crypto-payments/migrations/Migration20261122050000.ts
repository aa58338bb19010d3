import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const REQUESTS = `"crypto_payment_request"`

/** Leases that fence, announcements that wait for being sent, quick checks, and the indexes of the sweeps. */
export class Migration20261122050000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists ${REQUESTS} add column if not exists "unread_since" timestamptz null, add column if not exists "notified_at" timestamptz null, add column if not exists "is_reported_paid" boolean not null default false, add column if not exists "notification_digest" text null, add column if not exists "lease_id" text null, add column if not exists "announcements" jsonb null, add column if not exists "announce_at" timestamptz null, add column if not exists "order_announced_at" timestamptz null, add column if not exists "order_placed_sent_at" timestamptz null;`
    )
    this.addSql(
      `alter table if exists "crypto_payment_activity" add column if not exists "position" serial not null;`
    )
    this.addSql(
      `create table if not exists "crypto_payment_sweep" ("id" text not null, "after_settled_at" timestamptz null, "after_id" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "crypto_payment_sweep_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_sweep_deleted_at" ON "crypto_payment_sweep" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    // What was settled before this version was announced as well as that version could.
    this.addSql(
      `UPDATE ${REQUESTS} SET order_announced_at = settled_at WHERE settled_at IS NOT NULL AND order_announced_at IS NULL;`
    )
    // Cases that the migration before this one has just opened are announced by the first sweep.
    this.addSql(
      `UPDATE ${REQUESTS} SET announce_at = now(), announcements = jsonb_build_array(jsonb_build_object('event', 'attention_required', 'event_id', id || ':migration', 'reason', attention_reason)) WHERE attention_reason = 'duplicate_payment' AND attention_resolved_at IS NULL AND attention_since > now() - interval '1 hour' AND announcements IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(`UPDATE ${REQUESTS} SET unread_since = failing_since WHERE failing_since IS NOT NULL;`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_announce_at" ON ${REQUESTS} ("announce_at") WHERE announce_at IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_settled_on_order" ON ${REQUESTS} ("settled_at", "id") WHERE state = 'captured' AND settled_at IS NOT NULL AND order_id IS NOT NULL AND attention_reason IS DISTINCT FROM 'paid_without_order' AND next_check_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_order_unannounced" ON ${REQUESTS} ("settled_at") WHERE order_announced_at IS NULL AND cart_id IS NOT NULL AND state = 'captured' AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_forgotten" ON ${REQUESTS} ("id") WHERE next_check_at IS NULL AND settled_at IS NULL AND attention_reason IS NULL AND payment_request_id IS NOT NULL AND state IN ('open', 'superseded', 'paid', 'captured') AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_registered" ON "crypto_payment_refund" ("updated_at") WHERE state = 'registered' AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    for (const name of ["announce_at", "settled_on_order", "order_unannounced", "forgotten"]) {
      this.addSql(`drop index if exists "IDX_crypto_payment_request_${name}";`)
    }
    this.addSql(`drop index if exists "IDX_crypto_payment_refund_registered";`)
    this.addSql(`drop table if exists "crypto_payment_sweep" cascade;`)
    this.addSql(`alter table if exists "crypto_payment_activity" drop column if exists "position";`)
    this.addSql(
      `alter table if exists ${REQUESTS} drop column if exists "unread_since", drop column if exists "notified_at", drop column if exists "is_reported_paid", drop column if exists "notification_digest", drop column if exists "lease_id", drop column if exists "announcements", drop column if exists "announce_at", drop column if exists "order_announced_at", drop column if exists "order_placed_sent_at";`
    )
  }
}
