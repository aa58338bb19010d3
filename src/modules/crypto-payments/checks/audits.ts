import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { generateEntityId } from "@medusajs/framework/utils"
import { describeError, invalidData } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import { RULES } from "./all-rules"
import { runAudit, type AuditReport } from "./run-audit"

export const AUDIT_RULE_NAMES = RULES.map(({ name }) => name)

const AUDITS = "crypto_payment_audit"
/** The nightly job runs daily. The schedule makes up for a missed one. */
const DUE_AFTER = "25 hours"

export class Audits {
  constructor(
    private readonly knex: Knex,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger
  ) {}

  /**
   * Checks stored rows against the rules. A run over all rules is stored, and its findings are announced.
   *
   * @param names without it, all rules
   * @throws MedusaError 400 for a rule that does not exist; 409 while another audit runs
   */
  async run(names?: readonly string[]): Promise<AuditReport> {
    const unknown = (names ?? []).filter((name) => !AUDIT_RULE_NAMES.includes(name))
    if (unknown.length > 0) {
      throw invalidData(
        `rules: there is no rule ${unknown.map((name) => name.slice(0, 64)).join(", ")}. Rules are ${AUDIT_RULE_NAMES.join(", ")}.`
      )
    }
    const rules = RULES.filter(({ name }) => names?.includes(name) ?? true)
    const report = await runAudit(this.knex, rules, undefined, (rule, code) => {
      this.logger.warn(`crypto payments: the audit's query of ${rule} was not run to its end (${code})`)
    })
    if (names === undefined) {
      const id = generateEntityId(undefined, "cpaud")
      await this.keep(id, report)
      await this.announce(id, report)
    }
    return report
  }

  /** The last report over all rules. */
  async readLast(): Promise<AuditReport | null> {
    return (await this.knex<{ report: AuditReport }>(AUDITS).first("report"))?.report ?? null
  }

  /** After a day without an audit. */
  async isDue(): Promise<boolean> {
    const isRecent = this.knex.raw(`ran_at > now() - interval '${DUE_AFTER}'`)
    return (await this.knex<{ id: string }>(AUDITS).where(isRecent).first("id")) === undefined
  }

  /** If this event is lost, the report and health still say what was found, and the next night's audit finds it again. */
  private async announce(event_id: string, { found, findings }: AuditReport): Promise<void> {
    if (found === 0) {
      return
    }
    const rules = [...new Set(findings.map(({ rule }) => rule))]
    try {
      await emitEvent(this.eventBus, CryptoPaymentEvents.AUDIT_FAILED, { event_id, findings: found, rules })
    } catch (error) {
      this.logger.warn(`crypto payments: the event of the audit was not sent (${describeError(error)})`)
    }
  }

  private async keep(id: string, report: AuditReport): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await trx(AUDITS).delete()
      await trx(AUDITS).insert({ id, ran_at: report.ran_at, report: JSON.stringify(report) })
    })
  }
}
