import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * When the merchant last asked for a link of an unpaid order: its time begins again. A release that does not know the
 * column leaves it null, as if only a storefront had opened the link.
 */
export class Migration20261123100000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" add column if not exists "offered_by_merchant_at" timestamptz null;`
    )
    // Whose link it was is not known of earlier ones, so each order has its time once more.
    this.addSql(
      `update "crypto_payment_request" set "offered_by_merchant_at" = now() where "state" in ('open', 'superseded') and "deleted_at" is null;`
    )
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(
      `alter table if exists "crypto_payment_request" drop column if exists "offered_by_merchant_at";`
    )
    await Promise.resolve()
  }
}
