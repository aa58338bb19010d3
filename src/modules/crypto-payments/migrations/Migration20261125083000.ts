import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** How many settles of a row have begun since one has ended. */
export class Migration20261125083000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "settles_begun" integer not null default 0;`
    )
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "crypto_payment_request" drop column if exists "settles_begun";`)
    await Promise.resolve()
  }
}
