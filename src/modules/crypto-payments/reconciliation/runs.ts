import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Problem } from "../gateway-problem"
import { REQUESTS } from "../payment-requests/request-sql"
import type { ListReport } from "./list-report"

const RUNS = "crypto_payment_reconciliation"
/** A run is written before each page of the list, which takes less than this. */
const IS_RUNNING = "(r.finished_at IS NULL AND r.updated_at > now() - interval '10 minutes')"

/** The nightly job runs daily. The next hour makes up for a night that was missed or failed. */
const DUE_AFTER = "24 hours 30 minutes"
/** Two nights were missed, or the gateway did not answer in them. */
const OVERDUE_AFTER = "2 days"

export interface RunningComparison {
  providerId: string
  runId: string
  startedAt: Date
}

export interface LastComparison {
  list_compared_at: Date | null
  is_list_overdue: boolean
}

/** The newest run compared nothing: the report, if there is one, is of an earlier run. */
export interface FailedComparison {
  started_at: Date
  /** `interrupted`: its process ended before it did. Null when the fault was the store's own. */
  problem: Problem | "interrupted" | null
}

/** Without a report nothing was compared, and the previous report stays the last one. */
export type RunEnd = { report: ListReport } | { problem: Problem | null }

/** Comparisons of the gateway's list with the rows: one at a time per provider, and the last report of each. */
export class ReconciliationRuns {
  constructor(private readonly knex: Knex) {}

  /** @returns undefined while another comparison of the provider runs */
  async start(providerId: string): Promise<RunningComparison | undefined> {
    const runId = generateEntityId(undefined, "cprec")
    const { rows } = await this.knex.raw<{ rows: { started_at: Date }[] }>(
      `INSERT INTO ${RUNS} AS r (id, run_id, started_at) VALUES (:providerId, :runId, now())
       ON CONFLICT (id) DO UPDATE
         SET run_id = EXCLUDED.run_id, started_at = EXCLUDED.started_at, finished_at = NULL, updated_at = now()
       WHERE NOT ${IS_RUNNING}
       RETURNING r.started_at`,
      { providerId, runId }
    )
    return rows[0] && { providerId, runId, startedAt: rows[0].started_at }
  }

  /** Call it before each page: the run is alive. */
  async prolong({ providerId: id, runId: run_id }: RunningComparison): Promise<void> {
    await this.knex(RUNS).where({ id, run_id }).update({ updated_at: this.knex.fn.now() })
  }

  async end({ providerId: id, runId: run_id }: RunningComparison, end: RunEnd): Promise<void> {
    const now = this.knex.fn.now()
    const compared = "report" in end ? { compared_at: this.knex.ref("started_at"), problem: null } : {}
    await this.knex(RUNS)
      .where({ id, run_id })
      .update({ ...end, ...compared, finished_at: now, updated_at: now })
  }

  /** Of these providers, those whose list was not compared for a day. */
  async listDue(providerIds: readonly string[]): Promise<string[]> {
    const recent = await this.knex(RUNS)
      .whereRaw(`compared_at > now() - interval '${DUE_AFTER}'`)
      .pluck<string[]>("id")
    return providerIds.filter((id) => !recent.includes(id))
  }

  /** When the list of each of these providers was last compared, and whether that is too long ago. For health. */
  async listLast(providerIds: readonly string[]): Promise<Map<string, LastComparison>> {
    const { rows } = await this.knex.raw<{ rows: (LastComparison & { id: string })[] }>(
      `SELECT p.id, r.compared_at AS list_compared_at,
              COALESCE(r.compared_at < now() - interval '${OVERDUE_AFTER}',
                EXISTS (SELECT 1 FROM ${REQUESTS} q WHERE q.provider_id = p.id AND q.deleted_at IS NULL
                                                      AND q.created_at < now() - interval '${OVERDUE_AFTER}')) AS is_list_overdue
         FROM unnest(CAST(:providerIds AS text[])) AS p (id)
         LEFT JOIN ${RUNS} r ON r.id = p.id`,
      { providerIds: [...providerIds] }
    )
    return new Map(rows.map(({ id, ...last }) => [id, last]))
  }

  /** The last report of a provider, whether a comparison runs, and whether the newest one has compared nothing. */
  async read(
    providerId: string
  ): Promise<{ report: ListReport | null; running_since: Date | null; failed: FailedComparison | null }> {
    const { rows } = await this.knex.raw<{
      rows: (FailedComparison & { report: ListReport | null; is_running: boolean; has_failed: boolean })[]
    }>(
      `SELECT r.report, r.started_at, ${IS_RUNNING} AS is_running,
              NOT ${IS_RUNNING} AND r.compared_at IS DISTINCT FROM r.started_at AS has_failed,
              CASE WHEN r.finished_at IS NULL THEN 'interrupted' ELSE r.problem END AS problem
         FROM ${RUNS} r WHERE r.id = ?`,
      [providerId]
    )
    const [run] = rows
    return {
      report: run?.report ?? null,
      running_since: run?.is_running ? run.started_at : null,
      failed: run?.has_failed ? { started_at: run.started_at, problem: run.problem } : null,
    }
  }
}
