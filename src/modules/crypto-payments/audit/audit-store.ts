import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { AuditReport } from "../../../http-contract"

const AUDITS = "crypto_payment_audit"
const KEPT = 30
/** The nightly job runs daily. When it was missed, the schedule makes up for it. */
const DUE_AFTER = "25 hours"

interface StoredAudit {
  id: string
  report: AuditReport
  /** The event about its findings is not known to be sent. */
  is_event_due: boolean
}

/** The reports of the audits that ran. */
export class AuditStore {
  constructor(private readonly knex: Knex) {}

  /** Keeps a report, with the event that has to be sent when it has findings. The oldest are dropped. */
  async keep(report: AuditReport, versions: string): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await trx(AUDITS).insert({
        id: generateEntityId(undefined, "cpaud"),
        ran_at: report.ran_at,
        versions,
        report: JSON.stringify(report),
        is_event_due: report.found > 0,
      })
      await trx.raw(
        `DELETE FROM ${AUDITS} WHERE id IN (SELECT id FROM ${AUDITS} ORDER BY ran_at DESC OFFSET ${String(KEPT)})`
      )
    })
  }

  /** The newest audit; undefined before the first. */
  async findLast(): Promise<StoredAudit | undefined> {
    const [last] = await this.knex<StoredAudit>(AUDITS).orderBy("ran_at", "desc").limit(1)
    return last
  }

  /** Whether a day has passed since the last audit, or the software is another one since. */
  async isDue(versions: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { is_recent: boolean }[] }>(
      `SELECT versions = ? AND ran_at > now() - interval '${DUE_AFTER}' AS is_recent
         FROM ${AUDITS} ORDER BY ran_at DESC LIMIT 1`,
      [versions]
    )
    return rows[0]?.is_recent !== true
  }

  async noteSent(id: string): Promise<void> {
    await this.knex(AUDITS).where({ id }).update({ is_event_due: false, updated_at: this.knex.fn.now() })
  }
}
