import { readFileSync } from "node:fs"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { generateEntityId } from "@medusajs/framework/utils"
import { describeError, invalidData } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { SettingsRegistry } from "../settings/settings-registry"
import { RULES } from "./all-rules"
import { runAudit, type AuditReport } from "./run-audit"

export const AUDIT_RULE_NAMES = RULES.map(({ name }) => name)

const AUDITS = "crypto_payment_audit"
const KEPT = 30
/** The nightly job runs daily. The schedule makes up for a missed one. */
const DUE_AFTER = "25 hours"

interface StoredAudit {
  id: string
  report: AuditReport
  /** The event about its findings may not have been sent. */
  is_event_due: boolean
}

export class Audits {
  constructor(
    private readonly knex: Knex,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger,
    private readonly settings: SettingsRegistry
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
    const registered = await this.settings.listRegistered()
    const report = await runAudit(this.knex, rules, registered, undefined, (rule, code) => {
      this.logger.warn(`crypto payments: the audit's query of ${rule} was not run to its end (${code})`)
    })
    if (names === undefined) {
      await this.keep(report)
      await this.announce().catch((error: unknown) => {
        this.logger.warn(
          `crypto payments: the event of the audit is not sent yet (${describeError(error)}), it is tried again`
        )
      })
    }
    return report
  }

  /** The last report over all rules. */
  async readLast(): Promise<AuditReport | null> {
    return (await this.findLast())?.report ?? null
  }

  /** After a day without an audit, or with other versions than at the last one. */
  async isDue(): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { is_recent: boolean }[] }>(
      `SELECT versions = ? AND ran_at > now() - interval '${DUE_AFTER}' AS is_recent
         FROM ${AUDITS} ORDER BY ran_at DESC LIMIT 1`,
      [readVersions()]
    )
    return rows[0]?.is_recent !== true
  }

  /** Sends the event of the last audit's findings, unless it was sent. @throws the bus's error */
  async announce(): Promise<void> {
    const { knex, eventBus } = this
    const last = await this.findLast()
    if (last?.is_event_due === true) {
      await emitEvent(eventBus, CryptoPaymentEvents.AUDIT_FAILED, {
        event_id: last.id,
        findings: last.report.found,
        rules: [...new Set(last.report.findings.map(({ rule }) => rule))],
      })
      await knex(AUDITS).where({ id: last.id }).update({ is_event_due: false, updated_at: knex.fn.now() })
    }
  }

  private async keep(report: AuditReport): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await trx(AUDITS).insert({
        id: generateEntityId(undefined, "cpaud"),
        ran_at: report.ran_at,
        versions: readVersions(),
        report: JSON.stringify(report),
        is_event_due: report.found > 0,
      })
      await trx.raw(
        `DELETE FROM ${AUDITS} WHERE id IN (SELECT id FROM ${AUDITS} ORDER BY ran_at DESC OFFSET ${String(KEPT)})`
      )
    })
  }

  private async findLast(): Promise<StoredAudit | undefined> {
    return await this.knex<StoredAudit>(AUDITS).orderBy("ran_at", "desc").first()
  }
}

function readVersions(): string {
  return ["medusa-payment-crypto", "@medusajs/medusa"]
    .map((name) => {
      const file = readFileSync(require.resolve(`${name}/package.json`), "utf8")
      return `${name} ${(JSON.parse(file) as { version: string }).version}`
    })
    .join(", ")
}
