import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121143837 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_medusa_refund_id" ON "crypto_payment_refund" ("medusa_refund_id") WHERE medusa_refund_id IS NOT NULL AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_refund_medusa_refund_id";`)
  }
}
