import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MedusaError } from "@medusajs/framework/utils"
import { REQUESTS } from "../payment-requests/request-sql"
import type { AuditFinding, AuditReport } from "./audit-report"
import type { AuditRule } from "./audit-rule"
import { IS_CRYPTO_PAYMENT } from "./audit-sql"

/** What a rule found may be a store at work. It is reported if it is still there after so long. */
const LOOK_AGAIN_AFTER_MS = 3000
/** One query may take so long, and all of them together so long, in milliseconds. */
const LIMITS = { ruleMs: 30_000, auditMs: 120_000 }
/** Of each rule. All are counted. */
const MOST_SHOWN = 100

const QUERY_CANCELED = "57014"

interface Found {
  findings: Omit<AuditFinding, "rule" | "message">[]
  count: number
}

/**
 * Holds stored rows against the rules, in one transaction that cannot write. Nobody waits for it: it takes no lock but its
 * own, so that one audit runs at a time.
 *
 * @param registered providers that medusa-config registers
 * @throws MedusaError 409 while another audit runs
 */
export async function runAudit(
  knex: Knex,
  rules: readonly AuditRule[],
  registered: readonly string[],
  limits = LIMITS
): Promise<AuditReport> {
  return await knex.transaction(async (trx) => {
    await trx.raw("SET TRANSACTION READ ONLY")
    // Compiling these statements takes longer than running them.
    await trx.raw("SET LOCAL jit = off")
    await takeTurn(trx)
    const begun = Date.now()
    const run = new AuditRun(trx, registered, { ruleMs: limits.ruleMs, endAtMs: begun + limits.auditMs })
    const [ranAt, checked] = [await readNow(trx), await count(trx)]
    const suspected = new Map<AuditRule, Found>()
    for (const rule of rules) {
      const found = await run.look(rule)
      if (found.count > 0) {
        suspected.set(rule, found)
      }
    }
    if (suspected.size > 0) {
      await sleep(LOOK_AGAIN_AFTER_MS)
    }
    const findings: AuditFinding[] = []
    let found = 0
    for (const [rule, first] of suspected) {
      const second = await run.look(rule)
      const stayed = keepCommon(first, second)
      findings.push(
        ...stayed.findings.map((ids) => ({ rule: rule.name, message: messageOf(rule, ids), ...ids }))
      )
      found += stayed.count
    }
    return {
      ran_at: ranAt.toISOString(),
      duration_ms: Date.now() - begun,
      checked,
      findings,
      found,
      rules: rules.map(({ name }) => name),
      incomplete: [...run.incomplete],
    }
  })
}

interface FoundRow {
  request_ids: string[]
  order_ids: string[]
  /** Null where the rule gives none. */
  provider_id: string | null
  total: number
}

class AuditRun {
  readonly incomplete = new Set<string>()

  constructor(
    private readonly trx: Knex.Transaction,
    private readonly registered: readonly string[],
    private readonly limits: { ruleMs: number; endAtMs: number }
  ) {}

  /** A query that does not end in time finds nothing, and is named as incomplete. */
  async look({ name, sql }: AuditRule): Promise<Found> {
    const limitMs = Math.min(this.limits.ruleMs, this.limits.endAtMs - Date.now())
    if (limitMs <= 0 || this.incomplete.has(name)) {
      this.incomplete.add(name)
      return { findings: [], count: 0 }
    }
    try {
      // A savepoint: a query that is cancelled ends no more than itself.
      return await this.trx.transaction(async (savepoint) => {
        await savepoint.raw(`SET LOCAL statement_timeout = ${String(limitMs)}`)
        const { rows } = await savepoint.raw<{ rows: FoundRow[] }>(
          `SELECT request_ids, order_ids, to_jsonb(found) ->> 'provider_id' AS provider_id, count(*) OVER ()::int AS total
             FROM (${sql}) found
            ORDER BY request_ids, order_ids LIMIT ${String(MOST_SHOWN)}`,
          { registered: [...this.registered] }
        )
        return {
          findings: rows.map(({ request_ids, order_ids, provider_id }) => ({
            request_ids,
            order_ids,
            ...(provider_id === null ? {} : { provider_id }),
          })),
          count: rows[0]?.total ?? 0,
        }
      })
    } catch (error) {
      if ((error as { code?: unknown }).code !== QUERY_CANCELED) {
        throw error
      }
      this.incomplete.add(name)
      return { findings: [], count: 0 }
    }
  }
}

/** A finding about a provider names it. */
function messageOf({ message }: AuditRule, { provider_id }: Found["findings"][number]): string {
  return provider_id === undefined ? message : `${message} It is "${provider_id}".`
}

/** What both looks saw. Of what is not shown, only the number is known, and the smaller one counts. */
function keepCommon(first: Found, second: Found): Found {
  const before = new Set(first.findings.map(keyOf))
  const findings = second.findings.filter((finding) => before.has(keyOf(finding)))
  const hidden = Math.min(first.count - first.findings.length, second.count - second.findings.length)
  return { findings, count: findings.length + hidden }
}

function keyOf({ request_ids, order_ids }: Found["findings"][number]): string {
  return [...request_ids, "", ...order_ids].join(" ")
}

async function takeTurn(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { is_taken: boolean }[] }>(
    "SELECT pg_try_advisory_xact_lock(hashtext('crypto_payment_audit')) AS is_taken"
  )
  if (rows[0]?.is_taken !== true) {
    throw new MedusaError(
      MedusaError.Types.CONFLICT,
      "The payments are being audited at this moment. Wait until that is done."
    )
  }
}

async function readNow(trx: Knex.Transaction): Promise<Date> {
  const { rows } = await trx.raw<{ rows: { now: Date }[] }>("SELECT clock_timestamp() AS now")
  return rows[0]?.now ?? new Date()
}

async function count(trx: Knex.Transaction): Promise<AuditReport["checked"]> {
  const { rows } = await trx.raw<{ rows: AuditReport["checked"][] }>(
    `SELECT (SELECT count(*)::int FROM ${REQUESTS} r WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL) AS payments,
            (SELECT count(*)::int FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
              WHERE ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL) AS captures,
            (SELECT count(*)::int FROM crypto_payment_refund f WHERE f.deleted_at IS NULL) AS refunds`
  )
  return rows[0] ?? { payments: 0, captures: 0, refunds: 0 }
}
