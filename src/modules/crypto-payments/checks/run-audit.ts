import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { conflict } from "../errors"
import { REQUESTS } from "../payment-requests/request-sql"
import { judged } from "./judged"
import { CAPTURES, IS_CRYPTO_PAYMENT, type NamedRule } from "./rule"

/** A finding may be a store at work. It is reported if it still exists this long after the first look. */
const LOOK_AGAIN_AFTER_MS = 1000
/** Time limits of one query and of all together, in milliseconds. */
const LIMITS = { ruleMs: 30_000, auditMs: 120_000 }
/** Per rule. All findings are counted. */
const MOST_SHOWN = 100
/** Each look reads and compares at most this many findings of a rule. Beyond that, only their number is known. */
const MOST_COMPARED = 10_000

/** Postgres' codes of errors that end one query and not the connection: a time limit, a stored value, a size limit. */
const ENDS_ONE_QUERY = /^(?:(?:22|40|42|53|54)[0-9A-Z]{3}|57014|55P03)$/

const COUNT = `
  SELECT (SELECT count(*)::int FROM ${REQUESTS} r WHERE r.paid_at IS NOT NULL AND r.deleted_at IS NULL) AS payments,
         (SELECT count(*)::int FROM ${CAPTURES} WHERE ${IS_CRYPTO_PAYMENT}) AS captures,
         (SELECT count(*)::int FROM crypto_payment_refund f WHERE f.deleted_at IS NULL) AS refunds`

type Checked = Record<"payments" | "captures" | "refunds", number | null>

type NoteFailed = (name: string, code: string) => void

interface Finding {
  /** Rows of `crypto_payment_request`. Empty when no row has the money. */
  request_ids: string[]
  order_ids: string[]
  /** For `provider_missing`: the missing provider. */
  provider_id?: string
}

interface Found {
  rule: NamedRule
  findings: Finding[]
  count: number
  endedAtMs: number
}

/**
 * Checks stored rows against the rules, in read-only transactions on two connections. Its only lock is its own, so that
 * one audit runs at a time.
 *
 * @param registered providers that medusa-config registers
 * @param noteFailed is told of each query that failed, with Postgres' code
 * @throws MedusaError 409 while another audit runs
 */
export async function runAudit(
  knex: Knex,
  rules: readonly NamedRule[],
  registered: readonly string[],
  limits = LIMITS,
  noteFailed: NoteFailed = () => undefined
) {
  return await readOnly(knex, async (first) => {
    const ranAt = await takeTurn(first)
    return await readOnly(knex, async (second) => {
      const begun = Date.now()
      const endAtMs = begun + limits.auditMs
      const run = new AuditRun(registered, { ruleMs: limits.ruleMs, endAtMs }, noteFailed)
      const [checked] = await run.ask(
        first,
        "counting",
        async (savepoint) => await run.select<Checked>(savepoint, COUNT)
      )
      const looked = await share([first, second], rules, async (trx, rule) => await run.look(trx, rule))
      const suspected = looked.filter(({ count }) => count > 0)
      const stayed = await share([first, second], suspected, async (trx, before) => {
        await sleep(before.endedAtMs + LOOK_AGAIN_AFTER_MS - Date.now())
        return keepCommon(before, await run.look(trx, before.rule))
      })
      return {
        ran_at: ranAt.toISOString(),
        duration_ms: Date.now() - begun,
        // Null when the database did not count them in time.
        checked: checked ?? { payments: null, captures: null, refunds: null },
        findings: stayed.flatMap(({ rule, findings }) =>
          findings.map((ids) => ({ rule: rule.name, message: messageOf(rule, ids), ...ids }))
        ),
        // With those that are not shown.
        found: stayed.reduce((sum, { count }) => sum + count, 0),
        rules: rules.map(({ name }) => name),
        // Their query did not end in time, so their result is unknown.
        incomplete: rules.map(({ name }) => name).filter((name) => run.incomplete.has(name)),
      }
    })
  })
}

export type AuditReport = Awaited<ReturnType<typeof runAudit>>

async function readOnly<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return await knex.transaction(async (trx) => {
    await trx.raw("SET TRANSACTION READ ONLY")
    // To compile these statements takes longer than to run them.
    await trx.raw("SET LOCAL jit = off")
    return await work(trx)
  })
}

/** Each free connection takes the next one. @returns the results, in the order of `all` */
async function share<T, Result>(
  connections: readonly Knex.Transaction[],
  all: readonly T[],
  work: (trx: Knex.Transaction, one: T) => Promise<Result>
): Promise<Result[]> {
  const left = [...all.entries()]
  const results: Result[] = []
  await Promise.all(
    connections.map(async (trx) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        results[next[0]] = await work(trx, next[1])
      }
    })
  )
  return results
}

class AuditRun {
  readonly incomplete = new Set<string>()

  constructor(
    private readonly registered: readonly string[],
    private readonly limits: { ruleMs: number; endAtMs: number },
    private readonly noteFailed: NoteFailed
  ) {}

  async look(trx: Knex.Transaction, rule: NamedRule): Promise<Found> {
    const found = await this.ask(trx, rule.name, async (savepoint) => {
      const rows = await this.select<{ finding: Finding & { claimed?: string }; total: number }>(
        savepoint,
        `SELECT to_jsonb(found) AS finding, count(*) OVER ()::int AS total FROM (${rule.sql}) found
          ORDER BY request_ids, order_ids LIMIT ${String(MOST_COMPARED)}`
      )
      const total = rows[0]?.total ?? 0
      const kept = await judged(
        savepoint,
        rule,
        rows.map(({ finding }) => finding)
      )
      const findings = kept.map(({ claimed: _, ...finding }) => finding)
      return [{ findings, count: total - rows.length + findings.length }]
    })
    return { rule, ...(found[0] ?? { findings: [], count: 0 }), endedAtMs: Date.now() }
  }

  /** A query that fails finds nothing, and its rule is named as incomplete. The other rules are still checked. */
  async ask<Row>(
    trx: Knex.Transaction,
    name: string,
    work: (savepoint: Knex.Transaction) => Promise<Row[]>
  ): Promise<Row[]> {
    const limitMs = Math.min(this.limits.ruleMs, this.limits.endAtMs - Date.now())
    try {
      if (limitMs > 0 && !this.incomplete.has(name)) {
        // In a savepoint: cancelling the query ends only that.
        return await trx.transaction(async (savepoint) => {
          await savepoint.raw(`SET LOCAL statement_timeout = ${String(limitMs)}`)
          return await work(savepoint)
        })
      }
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (typeof code !== "string" || !ENDS_ONE_QUERY.test(code)) {
        throw error
      }
      this.noteFailed(name, code)
    }
    this.incomplete.add(name)
    return []
  }

  async select<Row>(savepoint: Knex.Transaction, sql: string): Promise<Row[]> {
    return (await savepoint.raw<{ rows: Row[] }>(sql, { registered: [...this.registered] })).rows
  }
}

function messageOf({ message }: NamedRule, { provider_id }: Finding): string {
  return provider_id === undefined ? message : `${message} It is "${provider_id}".`
}

/** What both looks saw. For findings that were not compared, only the smaller number counts. */
function keepCommon(first: Found, second: Found): Found {
  const before = new Set(first.findings.map(keyOf))
  const common = second.findings.filter((finding) => before.has(keyOf(finding)))
  const notCompared = Math.min(first.count - first.findings.length, second.count - second.findings.length)
  return { ...second, findings: common.slice(0, MOST_SHOWN), count: common.length + notCompared }
}

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
    throw conflict("The payments are being audited at this moment. Wait until that is done.")
  }
  return now
}
