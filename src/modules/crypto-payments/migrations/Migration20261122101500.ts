import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Which providers have payments: health tells of those that medusa-config does not register any more. */
export class Migration20261122101500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_provider_id" ON "crypto_payment_request" ("provider_id") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_request_provider_id";`)
    await Promise.resolve()
  }
}
