import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { COIN, GATEWAY_CURRENCY, REGISTERED_REFUND_OF } from "../payment-requests/request-sql"
import type { Viewer } from "./people"
import { rowsOf, type RequestFilter } from "./request-filter"
import { LINKED } from "./shown-payments"
import {
  BUYER_FEE,
  COLUMN_LIST,
  EXACT,
  GROSS,
  IN_RANGE,
  NET,
  runReport,
  type SettlementQuery,
  type SettlementReports,
} from "./settlement-report"

/** Rows in memory at a time. */
const PAGE_SIZE = 1000

type Line = Record<string, string | number | null>

/** Columns and lines of the payments' CSV, which the route writes with `answerCsv`. */
export class PaymentExports {
  constructor(
    private readonly knex: Knex,
    private readonly settlements: SettlementReports
  ) {}

  /**
   * The payments of a filter, newest first. With `from` or `to`: those that were paid or refunded in these days, as the
   * settlements count them. Each page is read when it is asked for, in its own statement, so that a slow reader blocks
   * nothing.
   *
   * @returns `from` is null when no days were asked for, and `to` then tomorrow; at least one page, which may be empty
   * @throws MedusaError 400
   */
  async read(
    { time_zone, from, to, ...filter }: RequestFilter & Pick<SettlementQuery, "time_zone" | "from" | "to">,
    viewer: Viewer
  ): Promise<{ from: string | null; to: string; columns: string[]; pages: AsyncGenerator<Line[]> }> {
    const days = await this.settlements.requireDays({ period: "day", time_zone, from, to })
    const rows = rowsOf(this.knex, filter, viewer)
    const hasDays = from !== undefined || to !== undefined
    const bindings = { ...(hasDays ? days : { from: "-infinity", to: "infinity" }), zone: time_zone }
    if (hasDays) {
      void rows.whereRaw(HAS_MOVED, bindings)
    }
    const columns = COLUMNS(viewer)
    return {
      from: hasDays ? days.from : null,
      to: days.to,
      columns: Object.keys(columns),
      pages: this.readPages(rows, STATEMENT(columns), bindings),
    }
  }

  private async *readPages(
    rows: Knex.QueryBuilder,
    statement: string,
    bindings: Record<string, string>
  ): AsyncGenerator<Line[]> {
    let page: (Line & { id: string; position: string })[] = []
    do {
      const ids = rows.clone().select("r.id").orderByRaw("r.created_at DESC, r.id DESC").limit(PAGE_SIZE)
      const last = page.at(-1)
      if (last !== undefined) {
        // The position is a text, because a `Date` has no microseconds.
        void ids.whereRaw("(r.created_at, r.id) < (?::timestamptz, ?)", [last.position, last.id])
      }
      page = await runReport(this.knex, statement, { ...bindings, ids })
      yield page
    } while (page.length === PAGE_SIZE)
  }
}

const HAS_MOVED = `(${IN_RANGE("r.paid_at")} OR r.id IN (
  SELECT f.request_id FROM crypto_payment_refund f WHERE f.deleted_at IS NULL AND ${IN_RANGE("f.created_at")}))`

const TIME = (column: string): string =>
  `to_char(${column} AT TIME ZONE :zone::text, 'YYYY-MM-DD HH24:MI:SS')`

/** The payer's fee is paid in the coin too. */
const RATE = `CASE WHEN r.paid_at IS NOT NULL
  THEN (${GROSS} + COALESCE(${BUYER_FEE}, 0)) / NULLIF(r.payment_amount::numeric, 0) END`

/** For a payment that was paid on other days than those asked for, only the refunds are figures. */
const COLUMNS = ({ customers, orders }: Viewer): Record<string, string> => ({
  order_display_id: "o.display_id",
  order_id: orders ? "COALESCE(r.order_id, o.id)" : "NULL",
  id: "r.id",
  created_at: TIME("r.created_at"),
  paid_at: TIME("r.paid_at"),
  captured_at: TIME("r.captured_at"),
  amount: "r.amount",
  currency_code: "r.currency_code",
  received_currency: GATEWAY_CURRENCY,
  gross: EXACT("paid.gross"),
  fees: EXACT("paid.gross - paid.net"),
  buyer_fees: EXACT("paid.buyer_fees"),
  fee_paid_by: "r.fee_paid_by",
  net: EXACT("paid.net"),
  refunded: EXACT(REGISTERED_REFUND_OF(IN_RANGE("f.created_at"))),
  coin: COIN,
  coin_amount: "r.payment_amount",
  rate: EXACT(RATE),
  state: "r.state",
  provider_id: "r.provider_id",
  payment_request_id: "r.payment_request_id",
  ref_id: "r.ref_id",
  customer_email: customers ? "COALESCE(o.email, c.email)" : "NULL",
})

const STATEMENT = (columns: Record<string, string>): string => `
  SELECT r.created_at::text AS position, ${COLUMN_LIST(columns)}
    ${LINKED("SELECT * FROM crypto_payment_request WHERE id IN :ids")}
    LEFT JOIN cart c ON c.id = r.cart_id
    LEFT JOIN LATERAL (
      SELECT COALESCE(${GROSS}, 0) AS gross, COALESCE(${NET}, 0) AS net, COALESCE(${BUYER_FEE}, 0) AS buyer_fees
       WHERE ${IN_RANGE("r.paid_at")}
    ) paid ON true
   ORDER BY r.created_at DESC, r.id DESC`
