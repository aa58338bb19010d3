import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The sweeps of cases about sums, and of refunds that are not booked, read what is open every minute, and nothing that is over. */
export class Migration20261123080000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_case_of_sum" ON "crypto_payment_request" ("id") INCLUDE ("order_id", "attention_reason", "attention_amount") WHERE attention_reason IN ('order_underpaid', 'order_overpaid') AND attention_resolved_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_refund_interrupted" ON "crypto_payment_refund" ("updated_at") WHERE state = 'registered' AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_crypto_payment_request_case_of_sum";`)
    this.addSql(`drop index if exists "IDX_crypto_payment_refund_interrupted";`)
  }
}
