import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** How many settles of a row have begun since one has ended; sweeps page through more than settled payments. */
export class Migration20261125083000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "settles_begun" integer not null default 0;`
    )
    this.addSql(`alter table "crypto_payment_sweep" rename column "after_settled_at" to "after_at";`)
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "crypto_payment_request" drop column if exists "settles_begun";`)
    this.addSql(`alter table "crypto_payment_sweep" rename column "after_at" to "after_settled_at";`)
    await Promise.resolve()
  }
}
