import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** What payers paid in: the admin's list is filtered by it. */
export class Migration20261122190000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_payment_currency" ON "crypto_payment_request" ("payment_currency", "created_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_request_payment_currency";`)
    await Promise.resolve()
  }
}
