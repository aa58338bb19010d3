/**
 * The sums that core keeps in `order_summary` for the current version of an order, which the admin shows. Core reads
 * and writes them without a lock. A booking is missing in them when another one is made at the same moment, or when a
 * change of the order, such as an edit or a fulfilment, is confirmed meanwhile.
 */
const SUMS = { transaction_total: "total", paid_total: "paid", refunded_total: "refunded" }

const SUM_DIFFERS = ([sum, total]: [string, string]): string =>
  `round(COALESCE((os.totals ->> '${sum}')::numeric, 0), 2) <> round(COALESCE(booked.${total}, 0), 2)`

/** Whether the summary `os` differs from what is `booked`. A missing sum counts as nothing. */
export const SUMS_DIFFER = `(${Object.entries(SUMS).map(SUM_DIFFERS).join(" OR ")})`

/** The totals of transactions `t`. */
export const TOTALS =
  "SUM(t.amount) AS total, SUM(GREATEST(t.amount, 0)) AS paid, SUM(GREATEST(-t.amount, 0)) AS refunded"

/**
 * The wrong summaries `os` of the current version of an order, with what is `booked`. When two changes of an order are
 * confirmed at the same moment, core writes a version twice.
 *
 * @param order a table with the order's `id` and `version`, or with nulls
 */
export const WRONG_SUMS = (order: string): string => `order_summary os
  CROSS JOIN LATERAL (
    SELECT ${TOTALS} FROM order_transaction t WHERE t.order_id = os.order_id AND t.deleted_at IS NULL
  ) booked
 WHERE os.order_id = ${order}.id AND os.version = ${order}.version AND os.deleted_at IS NULL AND ${SUMS_DIFFER}`

const CORRECTED = Object.entries({
  paid_total: "booked.paid",
  refunded_total: "booked.refunded",
  transaction_total: "booked.total",
  pending_difference: `(os.totals ->> 'pending_difference')::numeric
    + COALESCE((os.totals ->> 'transaction_total')::numeric, 0) - COALESCE(booked.total, 0)`,
}).flatMap(([sum, value]) => {
  const exact = `trim_scale(COALESCE(${value}, 0))`
  return [`'${sum}', ${exact}`, `'raw_${sum}', jsonb_build_object('value', ${exact}::text, 'precision', 20)`]
})

/** Writes the sums of an order `:orderId` anew. Its summaries have to be locked before. */
export const CORRECT_SUMS = `
  UPDATE order_summary corrected SET updated_at = now(), totals = corrected.totals || wrong.sums
    FROM "order" o
   CROSS JOIN LATERAL (
     SELECT os.id, jsonb_build_object(${CORRECTED.join(", ")}) AS sums FROM ${WRONG_SUMS("o")}
   ) wrong
   WHERE o.id = :orderId AND corrected.id = wrong.id`
