import { HAS_CASE_THAT_EXPLAINS_MONEY, IS_CASE_OF_SUM, IS_FREE } from "../payment-requests/request-sql"

/**
 * Rows that the schedule checks each minute: the newest, and a page of the older ones in turn. So its cost does not
 * depend on history. A partial index contains the rows.
 */
export interface Window {
  /** Its row in `crypto_payment_sweep` remembers where the next page begins. */
  name: string
  /** The condition on a row `r`. */
  rows: string
  /** The column that says which rows are newer. */
  time: string
  newest: number
  page: number
  /** The log says what was found: no ordinary event is followed by it. */
  isUnexpected?: true
}

/** Settled payments with an order. Their page takes `(settled payments / page + 1)` minutes for all of them. */
export const SETTLED_ON_ORDER: Window = {
  name: "settled_orders",
  rows: `r.state = 'captured' AND r.settled_at IS NOT NULL AND r.order_id IS NOT NULL
    AND r.attention_reason IS DISTINCT FROM 'paid_without_order' AND r.next_check_at IS NULL AND r.deleted_at IS NULL`,
  time: "settled_at",
  newest: 1000,
  page: 10_000,
  isUnexpected: true,
}

/** Paid rows that are not finished, have no case that explains it, and would not be checked again. All are findings. */
export const FORGOTTEN: Window = {
  name: "forgotten",
  rows: `r.next_check_at IS NULL AND r.settled_at IS NULL AND r.paid_at IS NOT NULL
    AND r.state IN ('paid', 'captured') AND r.deleted_at IS NULL AND NOT ${HAS_CASE_THAT_EXPLAINS_MONEY} AND ${IS_FREE}`,
  time: "id",
  newest: 500,
  page: 0,
  isUnexpected: true,
}

export const OPEN_LINKS: Window = {
  name: "open_links",
  rows: "r.state = 'open' AND r.deleted_at IS NULL",
  time: "created_at",
  newest: 1000,
  page: 2000,
}

/** Open cases that name what an order owes, or what was captured too much for it. */
export const CASES_OF_SUM: Window = {
  name: "cases_of_sum",
  rows: `${IS_CASE_OF_SUM} AND r.order_id IS NOT NULL AND r.deleted_at IS NULL`,
  time: "attention_since",
  newest: 0,
  page: 200,
}

export const WINDOWS = [SETTLED_ON_ORDER, FORGOTTEN, OPEN_LINKS, CASES_OF_SUM]
