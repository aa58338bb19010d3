import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { generateEntityId } from "@medusajs/framework/utils"
import { alreadyRunning, describeError, invalidData } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import { readOutstanding } from "../payment-requests/order-balance"
import { REQUESTS } from "../payment-requests/request-sql"
import { CAPTURES, IS_CRYPTO_PAYMENT, type Rule } from "./rule"
import { RULES_OF_ORDERS } from "./rules/orders"
import { RULES_OF_PAYMENTS } from "./rules/payments"
import { RULES_OF_SUMS } from "./rules/sums"

export const RULES: readonly Rule[] = [...RULES_OF_PAYMENTS, ...RULES_OF_ORDERS, ...RULES_OF_SUMS]
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

  /**
   * If this event is lost, the report and health still say what was found, and the next night's audit finds it again.
   */
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

/** A finding may be a store at work. It is reported if it still exists this long after the first look. */
const LOOK_AGAIN_AFTER_MS = 1000
/** Time limits of one query and of all together, in milliseconds. */
const LIMITS = { ruleMs: 30_000, auditMs: 120_000 }
/** Per rule. */
const MOST_SHOWN = 100
/** Of a rule. More are not counted. */
const MOST_COUNTED = 10_000

/** Postgres' codes of errors that end one query and not the connection: a time limit, a stored value, a size limit. */
const ENDS_ONE_QUERY = /^(?:(?:22|40|42|53|54)[0-9A-Z]{3}|57014|55P03)$/

const COUNT = `
  SELECT (SELECT count(*)::int FROM ${REQUESTS} r WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL) AS payments,
         (SELECT count(*)::int FROM ${CAPTURES} WHERE ${IS_CRYPTO_PAYMENT}) AS captures,
         (SELECT count(*)::int FROM crypto_payment_refund f WHERE f.deleted_at IS NULL) AS refunds`

type Checked = Record<"payments" | "captures" | "refunds", number | null>

interface Finding {
  /** Rows of `crypto_payment_request`. Empty when no row has the money. */
  request_ids: string[]
  order_ids: string[]
  claimed?: string | null
}

/**
 * Checks stored rows against the rules, in a read-only transaction. Its only lock is its own, so that one audit runs at
 * a time.
 *
 * @param noteFailed is told of each query that failed, with Postgres' code
 * @throws MedusaError 409 while another audit runs
 */
export async function runAudit(
  knex: Knex,
  rules: readonly Rule[],
  limits = LIMITS,
  noteFailed: (name: string, code: string) => void = () => undefined
) {
  return await knex.transaction(async (trx) => {
    await trx.raw("SET TRANSACTION READ ONLY")
    // To compile these statements takes longer than to run them.
    await trx.raw("SET LOCAL jit = off")
    const ranAt = await takeTurn(trx)
    const begun = Date.now()
    const incomplete = new Set<string>()

    /** A query that fails finds nothing, and its rule is named as incomplete. The other rules are still checked. */
    const ask = async <Row>(name: string, sql: string): Promise<Row[]> => {
      const limitMs = Math.min(limits.ruleMs, begun + limits.auditMs - Date.now())
      try {
        if (limitMs > 0 && !incomplete.has(name)) {
          // In a savepoint: cancelling the query ends only that.
          return await trx.transaction(async (savepoint) => {
            await savepoint.raw(`SET LOCAL statement_timeout = ${String(limitMs)}`)
            return (await savepoint.raw<{ rows: Row[] }>(sql)).rows
          })
        }
      } catch (error) {
        const { code } = error as { code?: unknown }
        if (typeof code !== "string" || !ENDS_ONE_QUERY.test(code)) {
          throw error
        }
        noteFailed(name, code)
      }
      incomplete.add(name)
      return []
    }
    const look = async ({ name, sql, judge }: Rule): Promise<Finding[]> => {
      const found = await ask<Finding>(
        name,
        `SELECT * FROM (${sql}) found ORDER BY request_ids, order_ids LIMIT ${String(MOST_COUNTED)}`
      )
      if (judge === undefined || found.length === 0) {
        return found
      }
      const orders = found.flatMap(({ order_ids }) => order_ids)
      const owed = await readOutstanding(trx, orders)
      return found.filter(({ order_ids: [id = ""], claimed }) => judge(owed.get(id) ?? "0", claimed ?? "0"))
    }

    const [checked] = await ask<Checked>("counting", COUNT)
    const suspected: { rule: Rule; before: Set<string> }[] = []
    for (const rule of rules) {
      const before = new Set((await look(rule)).map(keyOf))
      if (before.size > 0) {
        suspected.push({ rule, before })
      }
    }
    if (suspected.length > 0) {
      await sleep(LOOK_AGAIN_AFTER_MS)
    }
    const stayed: { rule: Rule; findings: Finding[] }[] = []
    for (const { rule, before } of suspected) {
      const findings = (await look(rule)).filter((finding) => before.has(keyOf(finding)))
      stayed.push({ rule, findings })
    }
    return {
      ran_at: ranAt.toISOString(),
      duration_ms: Date.now() - begun,
      // Null when the database did not count them in time.
      checked: checked ?? { payments: null, captures: null, refunds: null },
      findings: stayed.flatMap(({ rule, findings }) =>
        findings.slice(0, MOST_SHOWN).map(({ request_ids, order_ids }) => ({
          rule: rule.name,
          message: rule.message,
          request_ids,
          order_ids,
        }))
      ),
      // With those that are not shown: by rule, and together.
      counts: Object.fromEntries(stayed.map(({ rule, findings }) => [rule.name, findings.length])),
      found: stayed.reduce((sum, { findings }) => sum + findings.length, 0),
      rules: rules.map(({ name }) => name),
      // Their query did not end in time, so their result is unknown.
      incomplete: rules.map(({ name }) => name).filter((name) => incomplete.has(name)),
    }
  })
}

export type AuditReport = Awaited<ReturnType<typeof runAudit>>

function keyOf({ request_ids, order_ids }: Finding): string {
  return [...request_ids, "", ...order_ids].join(" ")
}

/** @returns the database's time */
async function takeTurn(trx: Knex.Transaction): Promise<Date> {
  const { rows } = await trx.raw<{ rows: [{ is_taken: boolean; now: Date }] }>(
    "SELECT pg_try_advisory_xact_lock(hashtext('crypto_payment_audit')) AS is_taken, now()"
  )
  const [{ is_taken, now }] = rows
  if (!is_taken) {
    throw alreadyRunning("The payments are being audited at this moment. Wait until that is done.")
  }
  return now
}
