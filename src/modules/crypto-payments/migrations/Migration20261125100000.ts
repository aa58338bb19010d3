import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const STATUS = '"crypto_payment_provider_status"'
/** Postgres had made the name, and cut it to 63 characters. */
const CHECK = '"crypto_payment_provider_statu_last_refused_webhook_reason_check"'
const FORMER_REASONS = "'wrong_secret', 'malformed', 'not_configured', 'too_large'"

/** A notification may be refused for further reasons. Processes of the former release write the former ones only. */
export class Migration20261125100000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table if exists ${STATUS} drop constraint if exists ${CHECK};`)
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(
      `update ${STATUS} set "last_refused_webhook_reason" = 'malformed' where "last_refused_webhook_reason" not in (${FORMER_REASONS});`
    )
    this.addSql(
      `alter table if exists ${STATUS} add constraint ${CHECK} check ("last_refused_webhook_reason" in (${FORMER_REASONS}));`
    )
    await Promise.resolve()
  }
}
