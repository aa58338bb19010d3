import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121081828 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_request_created_at";`)

    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_created_at_id" ON "crypto_payment_request" ("created_at", "id") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_request_created_at_id";`)

    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_created_at" ON "crypto_payment_request" ("created_at") WHERE deleted_at IS NULL;`
    )
  }
}
