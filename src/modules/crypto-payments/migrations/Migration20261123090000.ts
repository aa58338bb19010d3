import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const REQUESTS = '"crypto_payment_request"'

/**
 * A shopper's page asks for a new link by writing it down, and a settle replaces the link, at most once a minute. A
 * release that does not know the columns leaves both null.
 */
export class Migration20261123090000 extends Migration {
  override async up(): Promise<void> {
    for (const column of ["link_asked_at", "renewal_tried_at"]) {
      this.addSql(`alter table if exists ${REQUESTS} add column if not exists "${column}" timestamptz null;`)
    }
    await Promise.resolve()
  }

  override async down(): Promise<void> {
    for (const column of ["link_asked_at", "renewal_tried_at"]) {
      this.addSql(`alter table if exists ${REQUESTS} drop column if exists "${column}";`)
    }
    await Promise.resolve()
  }
}
