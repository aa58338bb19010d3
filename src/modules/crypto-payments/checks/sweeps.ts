import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { makeDue } from "../payment-requests/queue"
import { DUE_NOW, IS_FREE, REQUESTS } from "../payment-requests/request-sql"
import { AWAITING_COLLECTION } from "./awaiting-collection"
import { judged } from "./judged"
import type { NamedRule, Settles } from "./rule"
import { RULES } from "./all-rules"
import type { Window } from "./windows"

/** A row that breaks rules, by their names. */
export interface Found {
  id: string
  rules: string[]
  order_ids: string[]
  claimed: string | null
}

/** Of the newest rows, and of a page. The next minute finds the others: it reads the same page again. */
const MOST_FOUND = 500

/**
 * Runs the rules over windows of rows, and makes due what breaks them. So what a lost event, subscriber, middleware or
 * in-memory queue would have reported is found from stored state. docs/architecture.md lists which rule replaces what.
 */
export class Sweeps {
  constructor(private readonly knex: Knex) {}

  /** @returns the rows that became due, and those whose collection the admin does not let a merchant mark as paid */
  async sweep(window: Window): Promise<{ due: Found[]; awaiting: Found[] }> {
    const { newest, page } = window
    const older = `${pageOf(window, page, beforeLast(window))}, remembered AS (${rememberPage(window)})`
    const rows = [
      ...(newest === 0 ? [] : await this.find(window, pageOf(window, newest))),
      ...(page === 0 ? [] : await this.find(window, older)),
    ]
    // A page that begins with the newest rows finds them again.
    const found = [...new Map(rows.map((row) => [row.id, row])).values()]
    const broken = found.filter(({ rules }) => rules.some((rule) => rule !== AWAITING_COLLECTION.name))
    const isNotDue = `r.id = ANY(:ids) AND ${IS_FREE} AND (r.next_check_at IS NULL OR r.next_check_at > now())`
    const ids = broken.map(({ id }) => id)
    const due = ids.length === 0 ? [] : await makeDue(this.knex, DUE_NOW(), isNotDue, { ids })
    return {
      due: broken.filter(({ id }) => due.includes(id)),
      awaiting: found.filter(({ rules }) => rules.includes(AWAITING_COLLECTION.name)),
    }
  }

  private async find(window: Window, page: string): Promise<Found[]> {
    const { rows } = await this.knex.raw<{ rows: Found[] }>(
      `WITH ${page}
       SELECT id, rules, order_ids, claimed FROM page WHERE rules <> '{}'
        ORDER BY dated DESC, id DESC LIMIT ${String(MOST_FOUND)}`
    )
    return await judged(this.knex, judgingIn(window) ?? {}, rows)
  }
}

type Swept = Pick<NamedRule, "name" | "judge"> & { settles: Settles }

const sweptIn = (window: Window): Swept[] =>
  [...RULES, AWAITING_COLLECTION].flatMap(({ settles, ...rule }) =>
    settles?.in.some(({ name }) => name === window.name) === true ? [{ ...rule, settles }] : []
  )

/** The rule of a window that is judged by what orders owe. It is the only one there. */
const judgingIn = (window: Window): Swept | undefined =>
  sweptIn(window).find(({ settles }) => settles.claimed !== undefined)

/** The newest rows that meet the condition, each with the rules that it breaks. */
function pageOf(window: Window, limit: number, condition = ""): string {
  const broken = sweptIn(window).map(({ name, settles }) => `CASE WHEN ${settles.when} THEN '${name}' END`)
  const claimed = judgingIn(window)?.settles.claimed ?? "NULL"
  return `page AS MATERIALIZED (
    SELECT r.id, r.${window.time} AS dated, array_remove(ARRAY[${broken.join(", ")}]::text[], NULL) AS rules,
           ARRAY[r.order_id] AS order_ids, ${claimed} AS claimed
      FROM ${REQUESTS} r WHERE ${window.rows} ${condition}
     ORDER BY r.${window.time} DESC, r.id DESC LIMIT ${String(limit)})`
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
  HAVING count(*) FILTER (WHERE rules <> '{}') < ${String(MOST_FOUND)}
  ON CONFLICT (id) DO UPDATE SET after_at = EXCLUDED.after_at, after_id = EXCLUDED.after_id, updated_at = now()
   WHERE (s.after_at, s.after_id) IS DISTINCT FROM (EXCLUDED.after_at, EXCLUDED.after_id)`
