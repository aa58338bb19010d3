import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { amountsEqual } from "../../../decision"
import { readOutstanding } from "../payment-requests/order-balance"
import { enqueue } from "../payment-requests/queue"
import { DUE_NOW, IS_FREE, REQUESTS } from "../payment-requests/request-sql"
import type { Window } from "./windows"

interface Found {
  id: string
  is_broken: boolean
  is_awaiting: boolean
  order_id: string | null
  claimed: string | null
}

/** The next minute finds the others. */
const MOST_FOUND = 500

/**
 * Looks for what a settle can repair, and makes it due. So what a lost event, subscriber, middleware or in-memory queue
 * would have reported is found from stored state. docs/architecture.md lists what replaces what.
 */
export class Sweeps {
  constructor(private readonly knex: Knex) {}

  /** @returns the rows that became due, and those whose collection the admin does not let a merchant mark as paid */
  async sweep(window: Window): Promise<{ due: string[]; awaiting: string[] }> {
    const found = await this.find(window)
    const ids = found.filter(({ is_broken }) => is_broken).map(({ id }) => id)
    const isNotDue = `r.id = ANY(:ids) AND ${IS_FREE} AND (r.next_check_at IS NULL OR r.next_check_at > now())`
    return {
      due: ids.length === 0 ? [] : await enqueue(this.knex, DUE_NOW(), isNotDue, { ids }),
      awaiting: found.filter(({ is_awaiting }) => is_awaiting).map(({ id }) => id),
    }
  }

  private async find(window: Window): Promise<Found[]> {
    const { rows: among, time, most, due, awaiting = "false", claimed = "NULL" } = window
    const { rows } = await this.knex.raw<{ rows: Found[] }>(
      `WITH newest AS MATERIALIZED (
         SELECT r.id, r.${time} AS dated, COALESCE(${due}, false) AS is_broken,
                COALESCE(${awaiting}, false) AS is_awaiting, r.order_id, ${claimed} AS claimed
           FROM ${REQUESTS} r WHERE ${among}
          ORDER BY r.${time} DESC, r.id DESC LIMIT ${String(most)})
       SELECT id, is_broken, is_awaiting, order_id, claimed FROM newest WHERE is_broken OR is_awaiting
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
