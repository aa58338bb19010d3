import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Since when a link could not be replaced. A release that does not know the column leaves it null. */
export class Migration20261125090000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "renewal_failing_since" timestamptz null;`
    )
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" drop column if exists "renewal_failing_since";`
    )
    await Promise.resolve()
  }
}
