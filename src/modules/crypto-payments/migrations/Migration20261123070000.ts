import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const REQUESTS = '"crypto_payment_request"'
const CHECK = '"crypto_payment_request_failure_check"'
const KINDS = "'refused', 'unreadable', 'unknown_to_gateway', 'provider_missing'"

/**
 * "The gateway does not know it" and "nobody could ask" become kinds of failure of their own. Processes of the former
 * release write the first two kinds only, and read the others as any failure.
 */
export class Migration20261123070000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table if exists ${REQUESTS} drop constraint if exists ${CHECK};`)
    // Not validated: every row holds one of the first two, and reading them all would stop the store meanwhile.
    this.addSql(
      `alter table if exists ${REQUESTS} add constraint ${CHECK} check ("failure" in (${KINDS})) not valid;`
    )
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists ${REQUESTS} drop constraint if exists ${CHECK};`)
    // The former release has one kind for these. Its hour begins now, so that it expires nothing by an hour of another kind.
    this.addSql(
      `update ${REQUESTS} set "failure" = 'refused', "failing_since" = now() where "failure" in ('unknown_to_gateway', 'provider_missing');`
    )
    this.addSql(
      `alter table if exists ${REQUESTS} add constraint ${CHECK} check ("failure" in ('refused', 'unreadable')) not valid;`
    )
    await Promise.resolve()
  }
}
