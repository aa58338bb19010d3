import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { GatewayProblem } from "../gateway-problem"

const STATUSES = "crypto_payment_provider_status"
const RUNS = "crypto_payment_reconciliation"
const KEPT = 30
/** Longer than any pause between two pages of a list; a dead run's ends by itself. */
const LEASE = "10 minutes"
const PROLONG_EVERY_MS = 60_000

/** Who or what started a comparison. `script` is code of the store, `medusa exec` for example. */
export interface RunStarter {
  type: "user" | "api_key" | "schedule" | "script"
  /** Of a user or an API key. */
  id?: string | null | undefined
}

/** A comparison that runs. */
export interface RunningComparison {
  id: string
  /** By the database's clock. */
  startedAt: Date
}

/** How a comparison ended. Without a report nothing was compared, and the report before it stays the last one. */
export type RunEnd =
  { report: object; isComplete: boolean } | { report: null; problem: GatewayProblem["problem"] | null }

/** One run of the history. */
export interface Run {
  id: string
  started_at: Date
  finished_at: Date | null
  /** `interrupted`: its process ended before it did. */
  outcome: "running" | "complete" | "incomplete" | "failed" | "interrupted"
  problem: GatewayProblem["problem"] | null
  started_by_type: RunStarter["type"]
  started_by_id: string | null
  /** How many requests the gateway listed, and how many findings there were; null when nothing was compared. */
  listed: number | null
  findings: number | null
}

/** The comparisons of the gateway's list with the ledger: one at a time for each provider, with the history of runs. */
export class ReconciliationRuns {
  /** When this process last prolonged a provider's lease. */
  private readonly prolongedAtMs = new Map<string, number>()

  constructor(private readonly knex: Knex) {}

  /** Begins a comparison. @returns undefined while another one of the provider runs */
  async start(providerId: string, by: RunStarter): Promise<RunningComparison | undefined> {
    return await this.knex.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: { startedAt: Date }[] }>(
        `INSERT INTO ${STATUSES} AS s (id, reconciliation_started_at, reconciliation_lease_until)
         VALUES (?, date_trunc('milliseconds', now()), now() + interval '${LEASE}')
         ON CONFLICT (id) DO UPDATE SET reconciliation_started_at = EXCLUDED.reconciliation_started_at,
           reconciliation_lease_until = EXCLUDED.reconciliation_lease_until, updated_at = now()
          WHERE s.reconciliation_lease_until IS NULL OR s.reconciliation_lease_until < now()
         RETURNING reconciliation_started_at AS "startedAt"`,
        [providerId]
      )
      const startedAt = rows[0]?.startedAt
      if (startedAt === undefined) {
        return undefined
      }
      const id = generateEntityId(undefined, "cprec")
      await trx(RUNS).insert({
        id,
        provider_id: providerId,
        started_at: startedAt,
        started_by_type: by.type,
        started_by_id: by.id ?? null,
      })
      await trx.raw(
        `DELETE FROM ${RUNS} WHERE provider_id = :providerId AND id NOT IN
           (SELECT id FROM ${RUNS} WHERE provider_id = :providerId AND deleted_at IS NULL
             ORDER BY started_at DESC, id DESC LIMIT ${String(KEPT)})`,
        { providerId }
      )
      return { id, startedAt }
    })
  }

  async prolong(providerId: string, { startedAt }: RunningComparison): Promise<void> {
    const now = Date.now()
    if (now - (this.prolongedAtMs.get(providerId) ?? -Infinity) >= PROLONG_EVERY_MS) {
      this.prolongedAtMs.set(providerId, now)
      await this.knex(STATUSES)
        .where({ id: providerId, reconciliation_started_at: startedAt })
        .update({ reconciliation_lease_until: this.knex.raw(`now() + interval '${LEASE}'`) })
    }
  }

  async end(providerId: string, { id, startedAt }: RunningComparison, end: RunEnd): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await trx(STATUSES)
        .where({ id: providerId, reconciliation_started_at: startedAt })
        .update({ reconciliation_lease_until: null, updated_at: trx.fn.now() })
      await trx(RUNS)
        .where({ id })
        .update({
          finished_at: trx.fn.now(),
          updated_at: trx.fn.now(),
          ...(end.report === null
            ? { outcome: "failed", problem: end.problem }
            : { outcome: end.isComplete ? "complete" : "incomplete", report: JSON.stringify(end.report) }),
        })
    })
  }

  /**
   * A comparison's report, and since when one is running.
   *
   * @param runId without it, the newest run that has a report
   * @returns `runId` null when there is no report
   */
  async read(
    providerId: string,
    runId?: string
  ): Promise<{ report: Record<string, unknown> | null; runId: string | null; runningSince: Date | null }> {
    const running = await this.knex<{ id: string; reconciliation_started_at: Date }>(STATUSES)
      .where({ id: providerId })
      .where("reconciliation_lease_until", ">", this.knex.fn.now())
      .first("reconciliation_started_at")
    const run = await this.knex<{ id: string; report: Record<string, unknown> }>(RUNS)
      .where({ provider_id: providerId, deleted_at: null, ...(runId === undefined ? {} : { id: runId }) })
      .whereNotNull("report")
      .orderBy([
        { column: "started_at", order: "desc" },
        { column: "id", order: "desc" },
      ])
      .first("id", "report")
    return {
      report: run?.report ?? null,
      runId: run?.id ?? null,
      runningSince: running?.reconciliation_started_at ?? null,
    }
  }

  /** The runs of a provider that are kept, the newest first. */
  async list(providerId: string): Promise<Run[]> {
    const { rows } = await this.knex.raw<{ rows: Run[] }>(
      `SELECT r.id, r.started_at, r.finished_at, r.problem, r.started_by_type, r.started_by_id,
              COALESCE(r.outcome, CASE WHEN s.reconciliation_lease_until > now()
                                        AND s.reconciliation_started_at = r.started_at
                                       THEN 'running' ELSE 'interrupted' END) AS outcome,
              (r.report -> 'counts' ->> 'listed')::int AS listed,
              jsonb_array_length(r.report -> 'rows') + (r.report ->> 'rows_left_out')::int AS findings
         FROM ${RUNS} r LEFT JOIN ${STATUSES} s ON s.id = r.provider_id
        WHERE r.provider_id = ? AND r.deleted_at IS NULL
        ORDER BY r.started_at DESC, r.id DESC LIMIT ${String(KEPT)}`,
      [providerId]
    )
    return rows
  }
}
