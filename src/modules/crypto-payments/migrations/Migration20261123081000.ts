import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const REQUESTS = '"crypto_payment_request"'
const UNFINISHED =
  "next_check_at IS NULL AND settled_at IS NULL AND paid_at IS NOT NULL AND state IN ('paid', 'captured') AND deleted_at IS NULL"

/** Paid rows that nobody would look at again are also found when they have a case of the time before the payment. */
export class Migration20261123081000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_unfinished" ON ${REQUESTS} ("id") WHERE ${UNFINISHED};`
    )
    // The statement of the former release is served by the new index as well.
    this.addSql(`drop index if exists "IDX_crypto_payment_request_forgotten";`)
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_crypto_payment_request_forgotten" ON ${REQUESTS} ("id") WHERE attention_reason IS NULL AND ${UNFINISHED};`
    )
    this.addSql(`drop index if exists "IDX_crypto_payment_request_unfinished";`)
    await Promise.resolve()
  }
}
