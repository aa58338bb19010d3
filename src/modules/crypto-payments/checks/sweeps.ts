import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { amountsEqual } from "../../../decision"
import { readOutstanding } from "../payment-requests/order-balance"
import { makeDue } from "../payment-requests/queue"
import { DUE_NOW, IS_FREE, REQUESTS } from "../payment-requests/request-sql"
import type { Window } from "./windows"

interface Found {
  id: string
  is_broken: boolean
  is_awaiting: boolean
  order_id: string | null
  claimed: string | null
}

/** Of the newest rows, and of a page. The next minute finds the others: it reads the same page again. */
const MOST_FOUND = 500

/**
 * Looks for what a settle can repair, and makes it due. So what a lost event, subscriber, middleware or in-memory queue
 * would have reported is found from stored state. docs/architecture.md lists what replaces what.
 */
export class Sweeps {
  constructor(private readonly knex: Knex) {}

  /** @returns the rows that became due, and those whose collection the admin does not let a merchant mark as paid */
  async sweep(window: Window): Promise<{ due: string[]; awaiting: string[] }> {
    const { newest, page } = window
    const older = `${pageOf(window, page, beforeLast(window))}, remembered AS (${rememberPage(window)})`
    const rows = [
      ...(newest === 0 ? [] : await this.find(window, pageOf(window, newest))),
      ...(page === 0 ? [] : await this.find(window, older)),
    ]
    // A page that begins with the newest rows finds them again.
    const found = [...new Map(rows.map((row) => [row.id, row])).values()]
    const ids = found.filter(({ is_broken }) => is_broken).map(({ id }) => id)
    const isNotDue = `r.id = ANY(:ids) AND ${IS_FREE} AND (r.next_check_at IS NULL OR r.next_check_at > now())`
    return {
      due: ids.length === 0 ? [] : await makeDue(this.knex, DUE_NOW(), isNotDue, { ids }),
      awaiting: found.filter(({ is_awaiting }) => is_awaiting).map(({ id }) => id),
    }
  }

  private async find(window: Window, page: string): Promise<Found[]> {
    const { rows } = await this.knex.raw<{ rows: Found[] }>(
      `WITH ${page}
       SELECT id, is_broken, is_awaiting, order_id, claimed FROM page WHERE is_broken OR is_awaiting
        ORDER BY dated DESC, id DESC LIMIT ${String(MOST_FOUND)}`
    )
    if (window.claimed === undefined || rows.length === 0) {
      return rows
    }
    const owed = await readOutstanding(
      this.knex,
      rows.map(({ order_id }) => order_id ?? "")
    )
    return rows.filter(
      ({ order_id, claimed }) => !amountsEqual(owed.get(order_id ?? "") ?? "0", claimed ?? "0")
    )
  }
}

/** The newest rows that meet the condition, each with what was found. */
function pageOf(
  { rows, time, due, awaiting = "false", claimed = "NULL" }: Window,
  limit: number,
  condition = ""
): string {
  return `page AS MATERIALIZED (
    SELECT r.id, r.${time} AS dated, COALESCE(${due}, false) AS is_broken,
           COALESCE(${awaiting}, false) AS is_awaiting, r.order_id, ${claimed} AS claimed
      FROM ${REQUESTS} r WHERE ${rows} ${condition}
     ORDER BY r.${time} DESC, r.id DESC LIMIT ${String(limit)})`
}

/** Only rows older than the last one of the page before. */
const beforeLast = ({ name, time }: Window): string => `AND (r.${time}, r.id) < (
  SELECT COALESCE(s.after_at, 'infinity'), COALESCE(s.after_id, '') FROM crypto_payment_sweep s WHERE s.id = '${name}'
   UNION ALL SELECT 'infinity', '' LIMIT 1)`

/**
 * Remembers where the page ended. After a page that was not full, the next one begins with the newest row. A page in
 * which too much was found is read again.
 */
const rememberPage = ({ name, page }: Window): string => `
  INSERT INTO crypto_payment_sweep AS s (id, after_at, after_id)
  SELECT '${name}',
         CASE WHEN count(*) = ${String(page)} THEN (SELECT dated FROM page ORDER BY dated, id LIMIT 1) END,
         CASE WHEN count(*) = ${String(page)} THEN (SELECT id FROM page ORDER BY dated, id LIMIT 1) END
    FROM page
  HAVING count(*) FILTER (WHERE is_broken OR is_awaiting) < ${String(MOST_FOUND)}
  ON CONFLICT (id) DO UPDATE SET after_at = EXCLUDED.after_at, after_id = EXCLUDED.after_id, updated_at = now()
   WHERE (s.after_at, s.after_id) IS DISTINCT FROM (EXCLUDED.after_at, EXCLUDED.after_id)`
