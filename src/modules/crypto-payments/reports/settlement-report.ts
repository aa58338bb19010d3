import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { z } from "@medusajs/framework/zod"
import { invalidData } from "../errors"
import { COIN, GATEWAY_CURRENCY } from "../payment-requests/request-sql"
import { isDate, word } from "./request-filter"

const DAY_MS = 86_400_000
const MAX_DAYS = 3700
/** Postgres' code for a time zone that it does not know. */
const INVALID_PARAMETER = "22023"
/** Default ranges: 30 days, 26 weeks, 12 months. */
const DEFAULT_DAYS = { day: 29, week: 26 * 7 - 1, month: 365 }

const day = z.string().refine((text) => isDate(text) && z.iso.date().safeParse(text).success, {
  error: "from and to must be dates such as 2026-11-21, from 1900-01-01 to 2999-12-31",
})

/** Days are of the time zone, `to` exclusive. */
export const settlementQuery = z.strictObject({
  period: z.enum(["day", "week", "month"] satisfies (keyof typeof DEFAULT_DAYS)[]).default("day"),
  currency: word.toLowerCase().optional(),
  provider_id: word.optional(),
  from: day.optional(),
  to: day.optional(),
  time_zone: word.default("UTC"),
})

export type SettlementQuery = z.output<typeof settlementQuery>

/** Amounts are texts: a number is not exact. */
type SettlementRow = {
  [Name in keyof typeof COLUMNS]: Name extends `${string}count`
    ? number
    : Name extends "coin"
      ? string | null
      : string
}
type SettlementTotals = Omit<SettlementRow, "period_start" | "period_end" | "coin">

export class SettlementReports {
  constructor(private readonly knex: Knex) {}

  /** What was received and sent back, by period, newest first. @throws MedusaError 400 */
  async read(query: SettlementQuery) {
    const { period, time_zone, currency, provider_id } = query
    const { from, to } = await this.requireDays(query)
    const rows = await runReport<SettlementRow & { is_total: boolean }>(this.knex, STATEMENT, {
      period,
      step: `1 ${period}`,
      zone: time_zone,
      from,
      to,
      currency: currency ?? null,
      provider: provider_id ?? null,
    })
    const settlements = rows.flatMap(({ is_total, ...row }) => (is_total ? [] : [row]))
    const totals = rows.flatMap<SettlementTotals>(
      ({ is_total, period_start: _start, period_end: _end, coin: _coin, ...sums }) => (is_total ? [sums] : [])
    )
    return { period, time_zone, from, to, settlements, totals }
  }

  /** Adds the default days. @throws MedusaError 400 */
  async requireDays({ period, time_zone, ...asked }: SettlementQuery): Promise<{ from: string; to: string }> {
    const today = await this.readToday(time_zone)
    if (today === undefined) {
      throw invalidData(
        "`time_zone` must be a time zone of the IANA database that the store's database knows too, such as Asia/Dubai " +
          "or America/Los_Angeles. Abbreviations such as PST mean different offsets in different places.",
        "unknown_time_zone"
      )
    }
    const to = asked.to ?? addDays(today, 1)
    const from = asked.from ?? startOf(period, addDays(to, -1 - DEFAULT_DAYS[period]))
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
    if (days <= 0 || days > MAX_DAYS) {
      const message = "`from` must be before `to`, and at most ten years may lie between them."
      throw invalidData(message, "wrong_range")
    }
    return { from, to }
  }

  /**
   * @returns undefined for an unknown zone, and for a name without a place: for Postgres `IST`, `BST`, `PST` and the
   *   like are fixed offsets, for the runtime they are places. Postgres alone knows POSIX zones, such as `Foo/Bar+3`
   */
  private async readToday(zone: string): Promise<string | undefined> {
    try {
      new Intl.DateTimeFormat("en", { timeZone: zone })
      const { rows } = await this.knex.raw<{ rows: { today: string }[] }>(
        `SELECT to_char(now() AT TIME ZONE :zone, 'YYYY-MM-DD') AS today WHERE :zone ~* '/|^(utc|gmt)$'`,
        { zone }
      )
      return rows[0]?.today
    } catch (error) {
      if (error instanceof RangeError || (error as { code?: unknown }).code === INVALID_PARAMETER) {
        return undefined
      }
      throw error
    }
  }
}

/** The first day of the period that the day is in; weeks begin on Monday. */
function startOf(period: SettlementQuery["period"], day: string): string {
  const weekday = (new Date(day).getUTCDay() + 6) % 7
  return period === "month" ? `${day.slice(0, 8)}01` : period === "week" ? addDays(day, -weekday) : day
}

/** Days are `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Nothing is rounded, so that all sums agree: two decimals, and more where the gateway sends more. */
export const EXACT = (sum: string): string =>
  `to_char(${sum}, 'FM99999999999999999999999999990.00${"9".repeat(38)}')`
const AMOUNT = (sum: string): string => EXACT(`COALESCE(${sum}, 0)`)
const PERIOD_OF = (column: string): string => `date_trunc(:period::text, ${column} AT TIME ZONE :zone::text)`
const BEGIN_OF = (day: string): string => `(${day}::date)::timestamp AT TIME ZONE :zone::text`
export const IN_RANGE = (column: string): string =>
  `${column} >= ${BEGIN_OF(":from")} AND ${column} < ${BEGIN_OF(":to")}`
const ASKED_FOR = `r.deleted_at IS NULL
   AND (:currency::text IS NULL OR ${GATEWAY_CURRENCY} = :currency::text)
   AND (:provider::text IS NULL OR r.provider_id = :provider::text)`

/** The merchant's fees are gross minus what was credited: a gateway that rounds may differ from the fee it names. */
export const GROSS = "r.gateway_amount::numeric"
export const BUYER_FEE = "CASE WHEN r.fee_paid_by = 'BUYER' THEN r.fee_amount::numeric END"
export const NET = `COALESCE(r.receiving_amount::numeric,
  ${GROSS} - CASE WHEN r.fee_paid_by IS DISTINCT FROM 'BUYER' THEN COALESCE(r.fee_amount::numeric, 0) ELSE 0 END)`

/** The select list of columns that a report answers or writes into a file. */
export const COLUMN_LIST = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(", ")

/** In the order of the CSV's columns. */
const COLUMNS = {
  // A week or month that was requested only in part begins and ends with the requested days.
  period_start: "to_char(GREATEST(period, :from::date), 'YYYY-MM-DD')",
  period_end: "to_char(LEAST(period + :step::interval, :to::date), 'YYYY-MM-DD')",
  // The received currency, which need not be the requested one.
  currency_code: "currency_code",
  coin: "coin",
  count: "SUM(count)::int",
  gross: AMOUNT("SUM(gross)"),
  fees: AMOUNT("SUM(gross) - SUM(net)"),
  buyer_fees: AMOUNT("SUM(buyer_fees)"),
  net: AMOUNT("SUM(net)"),
  refund_count: "SUM(refund_count)::int",
  refunded: AMOUNT("SUM(refunded)"),
  // Of `count` and `gross`: reported as paid by the gateway, but not captured in Medusa.
  not_captured_count: "SUM(not_captured_count)::int",
  not_captured: AMOUNT("SUM(not_captured)"),
}
export const SETTLEMENT_COLUMNS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** Summed by period first, so that the totals need few rows. */
const STATEMENT = `
  WITH movement AS (
    SELECT ${PERIOD_OF("r.paid_at")} AS period, ${GATEWAY_CURRENCY} AS currency_code, ${COIN} AS coin,
           count(*) AS count,
           SUM(${GROSS}) AS gross, SUM(${BUYER_FEE}) AS buyer_fees, SUM(${NET}) AS net,
           0::bigint AS refund_count, 0::numeric AS refunded,
           count(*) FILTER (WHERE r.state = 'paid') AS not_captured_count,
           SUM(${GROSS}) FILTER (WHERE r.state = 'paid') AS not_captured
      FROM crypto_payment_request r
     WHERE r.paid_at IS NOT NULL AND ${IN_RANGE("r.paid_at")} AND ${ASKED_FOR}
     GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${PERIOD_OF("f.created_at")}, ${GATEWAY_CURRENCY}, ${COIN},
           0, 0, 0, 0, count(*), SUM(f.amount::numeric), 0, 0
      FROM crypto_payment_refund f
      JOIN crypto_payment_request r ON r.id = f.request_id
     WHERE f.deleted_at IS NULL AND ${IN_RANGE("f.created_at")} AND ${ASKED_FOR}
     GROUP BY 1, 2, 3
  )
  SELECT ${COLUMN_LIST(COLUMNS)}, GROUPING(period) = 1 AS is_total
    FROM movement
   GROUP BY GROUPING SETS ((period, currency_code, coin), (currency_code))
   ORDER BY movement.period DESC NULLS LAST, currency_code, coin NULLS LAST`

/**
 * Runs a statement that reads many rows and returns a few. Postgres' defaults do not fit: to compile it takes longer
 * than to run it, it would sort on disk, and it would read the whole table for the rows of a few refunds, because it
 * assumes that reading a row by key costs four times as much as reading the next row, as on a hard disk.
 */
export async function runReport<Row>(
  knex: Knex,
  sql: string,
  bindings: Record<string, Knex.RawBinding>
): Promise<Row[]> {
  return await knex.transaction(async (trx) => {
    await trx.raw(
      "SELECT set_config('jit', 'off', true), set_config('work_mem', '32MB', true), set_config('random_page_cost', '1.1', true)"
    )
    const { rows } = await trx.raw<{ rows: Row[] }>(sql, bindings)
    return rows
  })
}
