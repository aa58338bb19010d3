import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { LEASED, type LeasedRow } from "./leases"
import {
  DUE_NOW,
  IDS_OF_ORDER,
  IS_CASE_OF_SUM,
  IS_FINAL,
  IS_FREE,
  IS_UNREFUNDED,
  OUTSIDE_READ_INTERVAL,
  REQUESTS,
  SAYS_UNPAID,
  type SettleTrigger,
} from "./request-sql"

/** How often a page that waits for a new link of a changed order causes one. */
const ASK_INTERVAL = "1 minute"
/** A payer returned, or an order was changed: nobody has reported money. */
const IS_RETURN = `(r.check_trigger = 'return'
  OR r.check_trigger = 'order_changed' AND r.paid_at IS NULL AND NOT r.is_reported_paid)`
/** After a minute without a settle, a return counts as a row of the schedule. */
const IS_OLD_RETURN = `(${IS_RETURN} AND r.next_check_at < now() - interval '1 minute')`
/** Order of due rows: those that somebody has just reported, then returns, then those that the schedule finds. */
const IS_ASKED = `r.check_trigger IS NOT NULL AND NOT ${IS_RETURN}`
const IS_RETURNED = `${IS_RETURN} AND NOT ${IS_OLD_RETURN}`
const IS_SCHEDULED = `(r.check_trigger IS NULL OR ${IS_OLD_RETURN})`
/** Most of the schedule's rows: the last read said UNPAID, the last settle has ended, and nobody reported money. */
const IS_ROUTINE = `(r.paid_at IS NULL AND NOT r.is_reported_paid AND ${SAYS_UNPAID} AND r.failure IS NULL
  AND r.settles_begun = 0)`
/** Rows that can be leased are looked for among this many of the schedule's rows, the longest due. */
const LOOK_AHEAD = 25

export type SettleKind = "asked" | "returned" | "scheduled" | "routine"

export type DueRow = LeasedRow & {
  check_trigger: SettleTrigger | null
  kind: SettleKind
  /** Changes with each write of the row. */
  version: string
}

/**
 * Settled rows are not due when their order is placed, but when it is cancelled. The link of a changed order may have
 * been paid before the change.
 */
const CONCERNED = {
  placed: `r.paid_at IS NOT NULL AND NOT ${IS_FINAL} AND ${IS_FREE}`,
  canceled: IS_UNREFUNDED,
  changed: `(r.state = 'open' OR ${IS_CASE_OF_SUM})`,
}

/** Makes due the rows `r` that meet the condition. @param set as `DUE_NOW` @returns their ids */
export async function makeDue(
  knex: Knex,
  set: string,
  condition: string,
  bindings: Record<string, Knex.RawBinding>
): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `UPDATE ${REQUESTS} r SET ${set} WHERE ${condition} RETURNING r.id`,
    bindings
  )
  return rows.map(({ id }) => id)
}

/**
 * The queue of payment requests in Postgres: it leases due rows, and makes rows due for events of an order, returns and
 * requests. Notifications (`RecordedNotifications`), sweeps and the gateway's list make rows due as well; the outcome
 * of a settle plans the next check.
 */
export class PaymentRequestQueue {
  constructor(private readonly knex: Knex) {}

  /**
   * Leases due rows for settles: asked-for rows first, then the longest due of each kind. Rows that another process is
   * leasing are skipped. In `places`, `all` counts every kind except the routine one.
   */
  async leaseDue(places: Record<"all" | SettleKind, number>): Promise<DueRow[]> {
    const find = (condition: string, most: string, kind: string): string => `
         SELECT r.id, r.next_check_at, ${kind} AS kind FROM ${REQUESTS} r
          WHERE r.next_check_at <= now() AND ${condition}
            AND ${IS_FREE} AND r.deleted_at IS NULL
          ORDER BY r.next_check_at LIMIT ${most} FOR UPDATE SKIP LOCKED`
    const lookAhead = `LEAST((:scheduled)::int + (:routine)::int, 1) * ${String(LOOK_AHEAD)}`
    const { rows } = await this.knex.raw<{ rows: DueRow[] }>(
      `WITH asked AS (${find(IS_ASKED, ":asked", "'asked'")}
       ), returned AS (${find(IS_RETURNED, ":returned", "'returned'")}
       ), unasked AS (${find(IS_SCHEDULED, lookAhead, `CASE WHEN ${IS_ROUTINE} THEN 'routine' ELSE 'scheduled' END`)}
       ), numbered AS (
         SELECT *, row_number() OVER (PARTITION BY kind ORDER BY next_check_at) AS number FROM unasked
       ), due AS (
         (SELECT id, kind FROM (
            SELECT *, 1 AS rank FROM asked
             UNION ALL SELECT *, 2 FROM returned
             UNION ALL SELECT id, next_check_at, kind, 3 FROM numbered WHERE kind = 'scheduled' AND number <= :scheduled
          ) one_by_one ORDER BY rank, next_check_at LIMIT :all)
          UNION ALL
         SELECT id, kind FROM numbered WHERE kind = 'routine' AND number <= :routine
       )
       UPDATE ${REQUESTS} r SET ${LEASED(":leaseId || r.id")}, settles_begun = r.settles_begun + 1
         FROM due WHERE r.id = due.id RETURNING r.*, due.kind, r.xmin::text AS version`,
      { ...places, leaseId: randomUUID() }
    )
    return rows
  }

  async requestCheck(id: string, trigger: "provider" | "notification" = "provider"): Promise<void> {
    await makeDue(this.knex, DUE_NOW(trigger), `r.id = :id AND NOT ${IS_FINAL}`, { id })
  }

  /** Makes an unpaid row due because its payer returned: at once, then at intervals. @returns whether it did */
  async makeReturnedDue(id: string): Promise<boolean> {
    const isUnread = `r.id = :id AND r.paid_at IS NULL AND r.payment_request_id IS NOT NULL AND ${IS_FREE}
      AND COALESCE(GREATEST(r.last_checked_at, r.check_requested_at) < now() - interval '${OUTSIDE_READ_INTERVAL}', true)`
    return (await makeDue(this.knex, DUE_NOW("return"), isUnread, { id })).length > 0
  }

  /** A shopper's page asks for a new link. @returns false within a minute of the last time: then none is made */
  async askForLink(id: string): Promise<boolean> {
    const mayAsk = `r.id = :id AND r.state = 'open' AND r.paid_at IS NULL
      AND (r.link_asked_at IS NULL OR r.link_asked_at <= now() - interval '${ASK_INTERVAL}')`
    return (await makeDue(this.knex, "link_asked_at = now()", mayAsk, { id })).length > 0
  }

  /** After a partial refund, the row's case about the sum may be over. @returns whether it has one */
  async makeCaseDue(id: string): Promise<boolean> {
    const isFreeCase = `r.id = :id AND ${IS_FREE} AND ${IS_CASE_OF_SUM}`
    return (await makeDue(this.knex, DUE_NOW(), isFreeCase, { id })).length > 0
  }

  /** Makes due the rows that an event of the order concerns. If that is lost, a sweep finds them. */
  async makeOrderDue(orderId: string, event: keyof typeof CONCERNED): Promise<void> {
    const isConcerned = `r.id IN (${IDS_OF_ORDER(":orderId")}) AND ${CONCERNED[event]}`
    await makeDue(this.knex, DUE_NOW("order_changed"), isConcerned, { orderId })
  }
}
