import { readFileSync } from "node:fs"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { AuditReport } from "../../../http-contract"
import { AuditStore } from "./audit-store"
import { AUDIT_RULES, AUDIT_RULE_NAMES } from "./rules"
import { runAudit } from "./run-audit"

interface Dependencies {
  knex: Knex
  eventBus: IEventBusModuleService
  logger: Logger
  /** Ids of the providers that medusa-config registers. */
  listProviders: () => Promise<string[]>
}

/** The audits of stored rows: run, kept, and announced when they have findings. */
export class Audits {
  private readonly store: AuditStore

  constructor(private readonly dependencies: Dependencies) {
    this.store = new AuditStore(dependencies.knex)
  }

  /**
   * Checks stored rows against the rules. A run over all rules is stored, and its findings are announced.
   *
   * @param names without it, all rules
   * @throws MedusaError 400 for a rule that does not exist; 409 while another audit runs
   */
  async run(names?: readonly string[]): Promise<AuditReport> {
    const unknown = (names ?? []).filter((name) => !AUDIT_RULE_NAMES.includes(name))
    if (unknown.length > 0) {
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        `rules: there is no rule ${unknown.map((name) => name.slice(0, 64)).join(", ")}. Rules are ${AUDIT_RULE_NAMES.join(", ")}.`
      )
    }
    const { knex, logger, listProviders } = this.dependencies
    const rules = AUDIT_RULES.filter(({ name }) => names?.includes(name) ?? true)
    const report = await runAudit(knex, rules, await listProviders(), undefined, (rule, code) => {
      logger.warn(`crypto payments: the audit's query of ${rule} was not run to its end (${code})`)
    })
    if (names === undefined) {
      await this.store.keep(report, readVersions())
      await this.announce().catch((error: unknown) => {
        logger.warn(
          `crypto payments: the event of the audit is not sent yet (${describeError(error)}), it is tried again`
        )
      })
    }
    return report
  }

  /** The last report over all rules; null before the first. */
  async readLast(): Promise<AuditReport | null> {
    return (await this.store.findLast())?.report ?? null
  }

  /** A day without an audit, or other software than at the last one. */
  async isDue(): Promise<boolean> {
    return await this.store.isDue(readVersions())
  }

  /** Sends the event of the last audit's findings, unless it was sent. @throws what the bus throws */
  async announce(): Promise<void> {
    const last = await this.store.findLast()
    if (last?.is_event_due === true) {
      await emitEvent(this.dependencies.eventBus, CryptoPaymentEvents.AUDIT_FAILED, {
        event_id: last.id,
        findings: last.report.found,
        rules: [...new Set(last.report.findings.map(({ rule }) => rule))],
      })
      await this.store.noteSent(last.id)
    }
  }
}

/** Versions of this plugin and of Medusa, as one text: another text means that one of them was changed. */
function readVersions(): string {
  return ["medusa-payment-crypto", "@medusajs/medusa"]
    .map((name) => `${name} ${readVersion(name)}`)
    .join(", ")
}

function readVersion(name: string): string {
  const file = readFileSync(require.resolve(`${name}/package.json`), "utf8")
  return (JSON.parse(file) as { version: string }).version
}
