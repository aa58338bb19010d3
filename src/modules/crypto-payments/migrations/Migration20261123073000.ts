import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What was paid for the order otherwise, as the last settle saw it. A release that does not know the column leaves it
 * null: such a row is compared by its `settled_at`.
 */
export class Migration20261123073000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "other_payments" text null;`
    )
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "crypto_payment_request" drop column if exists "other_payments";`)
    await Promise.resolve()
  }
}
