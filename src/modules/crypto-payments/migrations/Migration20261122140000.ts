import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** How much an order still owes, or how much of a payment was too much. */
export class Migration20261122140000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "attention_amount" text null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "crypto_payment_request" drop column if exists "attention_amount";`)
  }
}
