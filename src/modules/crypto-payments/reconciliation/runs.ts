import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { notFound } from "../errors"
import type { Problem } from "../gateway-problem"
import { REQUESTS } from "../payment-requests/request-sql"
import { USER_NAME, type Viewer } from "../reports/customer-sql"
import type { ListReport } from "./list-report"

const RUNS = "crypto_payment_reconciliation"
const KEPT = 30
/** A run is written before each page of the list, which takes less than this. */
const IS_RUNNING = "(r.outcome IS NULL AND r.updated_at > now() - interval '10 minutes')"

/** The nightly job runs daily. The schedule makes up for a missed night. */
const DUE_AFTER = "25 hours"
/** The gateway's list could be read at another time. After other failures, only a change helps. */
const MAY_PASS: readonly Problem[] = ["unreachable", "timeout"]
/** Two nights were missed, and the hours in which they are made up for. */
const OVERDUE_AFTER = "2 days"
/** The answers of a gateway that has no list: a provider that never got another one is not overdue. */
const WITHOUT_LIST: readonly Problem[] = ["not_this_api", "unknown_to_gateway"]

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

export interface LastComparison {
  list_compared_at: Date | null
  is_list_overdue: boolean
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

  /** Of these providers, those without a run for a day: of a process that died, or of a time without the gateway. */
  async listDue(providerIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT p.id FROM unnest(CAST(:providerIds AS text[])) AS p (id)
        WHERE NOT EXISTS (
          SELECT 1 FROM ${RUNS} r
           WHERE r.provider_id = p.id AND r.started_at > now() - interval '${DUE_AFTER}' AND r.deleted_at IS NULL
             AND (r.report IS NOT NULL OR ${IS_RUNNING} OR r.problem <> ALL(:passing)))`,
      { providerIds: [...providerIds], passing: [...MAY_PASS] }
    )
    return rows.map(({ id }) => id)
  }

  /** When the list of each of these providers was last compared, and whether that is too long ago. For health. */
  async listLast(providerIds: readonly string[]): Promise<Map<string, LastComparison>> {
    const { rows } = await this.knex.raw<{ rows: (LastComparison & { id: string })[] }>(
      `SELECT p.id, last.started_at AS list_compared_at,
              COALESCE(last.started_at < now() - interval '${OVERDUE_AFTER}',
                EXISTS (SELECT 1 FROM ${REQUESTS} q WHERE q.provider_id = p.id AND q.deleted_at IS NULL
                                                      AND q.created_at < now() - interval '${OVERDUE_AFTER}')
                AND NOT EXISTS (SELECT 1 FROM ${RUNS} r WHERE r.provider_id = p.id AND r.deleted_at IS NULL
                                                          AND r.problem = ANY(:withoutList))) AS is_list_overdue
         FROM unnest(CAST(:providerIds AS text[])) AS p (id)
         LEFT JOIN LATERAL (
           SELECT r.started_at FROM ${RUNS} r
            WHERE r.provider_id = p.id AND r.report IS NOT NULL AND r.deleted_at IS NULL
            ORDER BY r.started_at DESC LIMIT 1) last ON true`,
      { providerIds: [...providerIds], withoutList: [...WITHOUT_LIST] }
    )
    return new Map(rows.map(({ id, ...last }) => [id, last]))
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
