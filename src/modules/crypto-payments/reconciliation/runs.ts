import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { notFound } from "../errors"
import type { Problem } from "../gateway-problem"
import { USER_NAME, type Viewer } from "../reports/customer-sql"
import type { ListReport } from "./list-report"

const RUNS = "crypto_payment_reconciliation"
const KEPT = 30
/** A run is written before each page of the list, which takes less than this. */
const IS_RUNNING = "(r.outcome IS NULL AND r.updated_at > now() - interval '10 minutes')"

/** Who or what started a comparison. `script` is code of the store, for example in `medusa exec`. */
export interface RunStarter {
  type: "user" | "api_key" | "schedule" | "script"
  /** Of a user or an API key. */
  id?: string | null | undefined
}

export interface ReconciliationRun {
  id: string
  started_at: Date
  finished_at: Date | null
  outcome: "running" | "complete" | "incomplete" | "failed" | "interrupted"
  /** Of `failed`; null when the fault was the store's own. */
  problem: Problem | null
  started_by: { type: RunStarter["type"]; id: string | null; name: string | null }
  listed: number | null
  findings: number | null
}

export interface RunningComparison {
  id: string
  startedAt: Date
}

/** Without a report nothing was compared, and the previous report stays the last one. */
export type RunEnd =
  | { outcome: "complete" | "incomplete"; report: ListReport }
  | { outcome: "failed"; problem: Problem | null }

/** Comparisons of the gateway's list with the rows: one at a time per provider, with a history. */
export class ReconciliationRuns {
  constructor(private readonly knex: Knex) {}

  /** @returns undefined while another comparison of the provider runs */
  async start(providerId: string, by: RunStarter): Promise<RunningComparison | undefined> {
    return await this.knex.transaction(async (trx) => {
      await trx.raw("SELECT pg_advisory_xact_lock(hashtext(?))", [`${RUNS} ${providerId}`])
      const { rows } = await trx.raw<{ rows: RunningComparison[] }>(
        `INSERT INTO ${RUNS} (id, provider_id, started_at, started_by_type, started_by_id)
         SELECT :id, :providerId, now(), :type, :by
          WHERE NOT EXISTS (SELECT 1 FROM ${RUNS} r WHERE r.provider_id = :providerId AND ${IS_RUNNING})
         RETURNING id, started_at AS "startedAt"`,
        { id: generateEntityId(undefined, "cprec"), providerId, type: by.type, by: by.id ?? null }
      )
      await trx.raw(
        `DELETE FROM ${RUNS} WHERE provider_id = :providerId AND id NOT IN
           (SELECT id FROM ${RUNS} WHERE provider_id = :providerId AND deleted_at IS NULL
             ORDER BY started_at DESC, id DESC LIMIT ${String(KEPT)})
           AND id NOT IN
           (SELECT id FROM ${RUNS} WHERE provider_id = :providerId AND deleted_at IS NULL AND report IS NOT NULL
             ORDER BY started_at DESC, id DESC LIMIT 1)`,
        { providerId }
      )
      return rows[0]
    })
  }

  /** Call it before each page: the run is alive. */
  async prolong({ id }: RunningComparison): Promise<void> {
    await this.knex(RUNS).where({ id }).update({ updated_at: this.knex.fn.now() })
  }

  async end({ id }: RunningComparison, end: RunEnd): Promise<void> {
    const now = this.knex.fn.now()
    await this.knex(RUNS)
      .where({ id })
      .update({ ...end, finished_at: now, updated_at: now })
  }

  /**
   * @param runId without it, the newest run that has a report
   * @returns without a report when there is none
   * @throws MedusaError 404 for a run that is not kept or has no report
   */
  async read(
    providerId: string,
    runId?: string
  ): Promise<{ report: ListReport | null; run_id: string | null }> {
    const run = await this.knex<{ id: string; report: ListReport }>(RUNS)
      .where({ provider_id: providerId, deleted_at: null, ...(runId === undefined ? {} : { id: runId }) })
      .whereNotNull("report")
      .orderByRaw("started_at DESC, id DESC")
      .first("id", "report")
    if (runId !== undefined && run === undefined) {
      throw notFound("This comparison is not kept any more, or nothing was compared in it.")
    }
    return { report: run?.report ?? null, run_id: run?.id ?? null }
  }

  /** The kept runs of a provider, newest first. A viewer who may not read admin users sees no names of them. */
  async list(providerId: string, viewer: Viewer): Promise<ReconciliationRun[]> {
    const { rows } = await this.knex.raw<{ rows: ReconciliationRun[] }>(
      `SELECT r.id, r.started_at, r.finished_at, r.problem,
              jsonb_build_object('type', r.started_by_type, 'id', r.started_by_id, 'name',
                COALESCE(k.title, ${viewer.users ? USER_NAME("u") : "NULL"})) AS started_by,
              COALESCE(r.outcome, CASE WHEN ${IS_RUNNING} THEN 'running' ELSE 'interrupted' END) AS outcome,
              (r.report -> 'counts' ->> 'listed')::int AS listed,
              jsonb_array_length(r.report -> 'rows') + (r.report ->> 'rows_left_out')::int AS findings
         FROM ${RUNS} r
         LEFT JOIN api_key k ON k.id = r.started_by_id AND k.deleted_at IS NULL
         LEFT JOIN "user" u ON u.id = r.started_by_id AND u.deleted_at IS NULL
        WHERE r.provider_id = ? AND r.deleted_at IS NULL
        ORDER BY r.started_at DESC, r.id DESC`,
      [providerId]
    )
    return rows
  }
}
