import type { StoreUnderTest } from "./store-under-test"

const SUM = (table: string, condition: string): string =>
  `(SELECT COALESCE(SUM(x.amount::numeric), 0) FROM ${table} x WHERE x.deleted_at IS NULL AND ${condition})`
const OF_COLLECTION = (table: string): string =>
  SUM(table, "x.payment_id IN (SELECT id FROM payment WHERE payment_collection_id = pc.id)")
/** Paid in crypto. */
const OF_CRYPTO = `SELECT p.id FROM payment p JOIN order_payment_collection l USING (payment_collection_id)
                    WHERE l.order_id = o.id AND l.deleted_at IS NULL AND p.provider_id LIKE 'pp_crypto_%'`
const IN_CRYPTO = (table: string): string => SUM(table, `x.payment_id IN (${OF_CRYPTO})`)
const BOOKED_IN_CRYPTO = SUM(
  "order_transaction",
  `x.order_id = o.id AND x.reference_id IN (${OF_CRYPTO}
     UNION SELECT c.id FROM capture c WHERE c.payment_id IN (${OF_CRYPTO})
     UNION SELECT f.id FROM refund f WHERE f.payment_id IN (${OF_CRYPTO}))`
)
/**
 * Core refunds another provider's payment before it finds that an order under change can be neither refunded nor
 * cancelled, and books that nowhere. The money was sent back all the same.
 */
const REFUNDED_UNBOOKED = SUM(
  "refund",
  `x.payment_id IN (SELECT p.id FROM payment p JOIN order_payment_collection l USING (payment_collection_id)
                     WHERE l.order_id = o.id AND l.deleted_at IS NULL AND p.provider_id NOT LIKE 'pp_crypto_%')
   AND NOT EXISTS (SELECT 1 FROM order_transaction t
                    WHERE t.order_id = o.id AND t.reference_id IN (x.id, x.payment_id) AND t.deleted_at IS NULL)`
)

/** What Postgres has of orders, carts and collections, and of each payment request of the gateway. */
const BOOKS = `WITH
gateway AS (
  SELECT payment_request_id AS id, amount, upper(currency_symbol) AS currency, paid_at IS NOT NULL AS is_paid
    FROM jsonb_to_recordset(CAST(:payments AS jsonb)) AS g(payment_request_id text, amount numeric, currency_symbol text, paid_at text)),
orders AS (
  SELECT o.id, upper(o.currency_code) AS currency, o.version, oc.cart_id,
         o.status <> 'canceled' AND o.deleted_at IS NULL AS is_live,
         (s.totals ->> 'current_order_total')::numeric AS total,
         COALESCE((s.totals ->> 'transaction_total')::numeric, 0) AS summary,
         ${SUM("order_transaction", "x.order_id = o.id")} AS booked, ${REFUNDED_UNBOOKED} AS unbooked,
         ${IN_CRYPTO("capture")} - ${IN_CRYPTO("refund")} AS moved, ${BOOKED_IN_CRYPTO} AS booked_of_it,
         -- When two changes are confirmed at the same moment, core writes a version twice, and counts its lines twice.
         NOT EXISTS (SELECT 1 FROM order_summary x WHERE x.order_id = o.id AND x.deleted_at IS NULL
                      GROUP BY x.version HAVING count(*) > 1) AS has_sums,
         -- A refund is not booked meanwhile.
         EXISTS (SELECT 1 FROM order_change x
                  WHERE x.order_id = o.id AND x.status IN ('pending', 'requested') AND x.deleted_at IS NULL) AS is_being_changed,
         -- Such as by bank transfer.
         EXISTS (SELECT 1 FROM order_payment_collection l JOIN payment p USING (payment_collection_id)
                  WHERE l.order_id = o.id AND l.deleted_at IS NULL AND p.deleted_at IS NULL
                    AND p.captured_at IS NULL AND p.canceled_at IS NULL) AS is_to_be_paid_otherwise,
         ARRAY(SELECT round(pc.amount, 2) FROM order_payment_collection l JOIN payment_collection pc ON pc.id = l.payment_collection_id
                WHERE l.order_id = o.id AND l.deleted_at IS NULL AND pc.deleted_at IS NULL
                  AND pc.status IN ('not_paid', 'awaiting')) AS asked
    FROM "order" o JOIN order_summary s ON s.order_id = o.id AND s.version = o.version AND s.deleted_at IS NULL
    LEFT JOIN order_cart oc ON oc.order_id = o.id AND oc.deleted_at IS NULL),
carts AS (
  SELECT c.id, upper(c.currency_code) AS currency, c.completed_at IS NULL AS is_open, round(
         (SELECT COALESCE(SUM(i.unit_price * i.quantity), 0) FROM cart_line_item i
           WHERE i.cart_id = c.id AND i.deleted_at IS NULL) + ${SUM("cart_shipping_method", "x.cart_id = c.id")}
         - ${SUM("cart_line_item_adjustment", "x.item_id IN (SELECT id FROM cart_line_item WHERE cart_id = c.id AND deleted_at IS NULL)")}, 2) AS total
    FROM cart c WHERE c.deleted_at IS NULL),
captures AS (
  SELECT p.data ->> 'payment_request_id' AS payment, round(c.amount, 2) AS amount, o.id AS order_id,
         ARRAY[upper(p.currency_code), upper(pc.currency_code), o.currency] AS currencies,
         round(${SUM("order_transaction", "x.reference_id = c.id AND x.order_id = o.id")}, 2) AS booked
    FROM capture c JOIN payment p ON p.id = c.payment_id JOIN payment_collection pc ON pc.id = p.payment_collection_id
    LEFT JOIN order_payment_collection l ON l.payment_collection_id = pc.id AND l.deleted_at IS NULL
    LEFT JOIN orders o ON o.id = l.order_id
   WHERE p.provider_id LIKE 'pp_crypto_%' AND c.deleted_at IS NULL),
requests AS (
  SELECT r.id, r.payment_request_id AS payment, r.cart_id, COALESCE(oc.order_id, l.order_id, r.order_id) AS order_id,
         r.paid_at IS NOT NULL AS is_paid, COALESCE(r.attention_reason, '') AS reason, r.attention_amount::numeric AS told,
         r.attention_resolved_at IS NULL OR COALESCE(r.attention_note, '') = '' AS is_open,
         ${SUM("crypto_payment_refund", "x.request_id = r.id")} AS back
    FROM crypto_payment_request r
    LEFT JOIN order_cart oc ON oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
    LEFT JOIN order_payment_collection l ON l.payment_collection_id = r.payment_collection_id AND l.deleted_at IS NULL),
balances AS (
  SELECT o.*, round(total - booked + unbooked, 2) AS owed,
         (SELECT count(*)::int FROM captures c WHERE c.order_id = o.id AND c.booked > 0) AS captures,
         ARRAY(SELECT r.reason FROM requests r WHERE r.order_id = o.id AND r.reason <> '') AS cases,
         -- Its own collections may ask for a part. Only a cart's order is paid as a whole, unless the merchant changed it.
         EXISTS (SELECT 1 FROM requests r WHERE r.order_id = o.id AND r.cart_id IS NULL AND r.is_paid)
           AND (o.version > 1 OR NOT EXISTS (
             SELECT 1 FROM requests r WHERE r.order_id = o.id AND r.cart_id IS NOT NULL AND r.is_paid)) AS is_paid_in_parts,
         -- Whoever sends all of a captured payment back knows that it is owed again, and ends its case.
         EXISTS (SELECT 1 FROM captures c JOIN requests r USING (payment)
                  WHERE c.order_id = o.id AND r.back >= c.amount) AS is_sent_back
    FROM orders o),
payments AS (
  SELECT g.*, captured.*, r.reason, r.told, r.is_open, COALESCE(r.back, 0) AS back,
         (SELECT count(*) FROM requests x WHERE x.payment = g.id AND x.is_paid) AS recorded,
         COALESCE(o.is_live, false) AS is_live, COALESCE(o.has_sums, true) AS has_sums, CASE WHEN o.is_live THEN o.owed ELSE 0 END AS owed, o.id AS order_id,
         -- Exactly this is asked for.
         CASE WHEN o.is_live THEN (o.owed, o.currency) = (g.amount, g.currency) AND g.amount = ANY (o.asked)
                                  AND o.has_sums AND NOT o.is_to_be_paid_otherwise
              ELSE o.id IS NULL AND c.is_open AND (c.total, c.currency) = (g.amount, g.currency)
                   -- Another payment of the cart is captured, and waits for what the cart lacks.
                   AND NOT EXISTS (SELECT 1 FROM requests x JOIN captures k ON k.payment = x.payment
                                    WHERE x.cart_id = c.id AND x.payment <> g.id AND x.back < k.amount) END AS is_wanted
    FROM gateway g
    LEFT JOIN requests r ON r.payment = g.id
    LEFT JOIN balances o ON o.id = r.order_id
    LEFT JOIN carts c ON c.id = r.cart_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS captures, COALESCE(SUM(x.booked), 0) AS booked,
             COALESCE(bool_and(x.amount = g.amount AND g.currency = ALL (array_remove(x.currencies, NULL))), true) AS is_exact
        FROM captures x WHERE x.payment = g.id) captured)`

/** Each rule, and the rows that break it. */
const RULES = {
  "nobody paid it, and it counts as paid": "payments WHERE NOT is_paid AND (recorded > 0 OR captures > 0)",
  "a payment is recorded and captured once": "payments WHERE is_paid AND (recorded <> 1 OR captures > 1)",
  "a payment is captured in its own amount and currency": "payments WHERE NOT is_exact",
  "a payment is on a living order, or sent back, or somebody is told": `payments
    WHERE is_paid AND NOT (is_live AND booked = amount) AND back <> amount AND reason NOT IN
          ('orphan_paid', 'duplicate_payment', 'paid_on_canceled', 'amount_mismatch', 'paid_without_order')`,
  "an open case says what is so": `payments
    WHERE is_open AND reason <> '' AND has_sums AND NOT COALESCE(CASE reason
          WHEN 'order_overpaid' THEN owed < 0 AND told = -owed
          WHEN 'order_underpaid' THEN owed > 0 AND told = owed
          WHEN 'duplicate_payment' THEN captures = 0 OR owed < 0
          WHEN 'orphan_paid' THEN captures = 0 OR back > 0
          WHEN 'paid_on_canceled' THEN NOT is_live
          WHEN 'paid_without_order' THEN order_id IS NULL END, false)`,
  "money is used that is asked for, once somebody checks it": `payments
    WHERE :isChecked AND is_paid AND is_open AND captures = 0 AND back = 0 AND is_wanted`,
  "an order is what its cart asks for": `balances o JOIN carts c ON c.id = o.cart_id
    WHERE o.currency <> c.currency OR o.version = 1 AND abs(o.total - c.total) >= 0.01`,
  "an order is paid to the cent, or somebody is told": `balances
    WHERE is_live AND has_sums AND captures > 0 AND id <> ALL (:known) AND (
          owed > 0 AND NOT is_paid_in_parts AND NOT is_sent_back AND NOT (:isEdited AND 'order_underpaid' = ANY (cases))
          OR owed < 0 AND NOT cases && ARRAY['order_overpaid', 'duplicate_payment'])`,
  // Core leaves a booking out of them when the order is changed at the same moment.
  "the audit names the orders whose sums are wrong": `balances
    WHERE :isChecked AND is_live AND has_sums AND captures > 0
      AND (round(booked, 2) <> round(summary, 2)) <> (id = ANY (:audited))`,
  "captures and bookings agree": `balances
    WHERE is_live AND captures > 0 AND NOT is_being_changed AND round(moved, 2) <> round(booked_of_it, 2)`,
  "captures, refunds and the collection's sums agree": `payment_collection pc
    WHERE (COALESCE(captured_amount, 0), COALESCE(refunded_amount, 0))
          <> (${OF_COLLECTION("capture")}, ${OF_COLLECTION("refund")})`,
}

export interface Balance {
  id: string
  owed: string
  booked: string
  captures: number
}

export async function readBalances({ knex }: StoreUnderTest): Promise<Balance[]> {
  return (await knex.raw<{ rows: Balance[] }>(`${BOOKS} SELECT * FROM balances`, { payments: "[]" })).rows
}

/**
 * What of the promise does not hold, by what the gateway and Postgres have.
 *
 * @param isChecked whether somebody has checked each payment that has a case
 * @param known orders of which somebody knows that their sum is wrong; undefined where nobody edits an order, so that
 *   none may be placed for less than it costs, even with a case
 * @param audited what the audit names for its sums, orders among it
 */
export async function judge(
  { gateway, knex }: StoreUnderTest,
  isChecked: boolean,
  known: string[] | undefined,
  audited: string[] = []
): Promise<string[]> {
  const found = Object.entries(RULES).map(
    ([rule, broken]) =>
      `SELECT '${rule.replaceAll("'", "''")}: ' || row_to_json(x)::text AS why FROM (SELECT * FROM ${broken}) x`
  )
  const bindings = {
    payments: JSON.stringify(await gateway.payments()),
    isChecked,
    known: known ?? [],
    isEdited: known !== undefined,
    audited,
  }
  const { rows } = await knex.raw<{ rows: { why: string }[] }>(
    `${BOOKS} ${found.join("\nUNION ALL ")}`,
    bindings
  )
  return rows.map(({ why }) => why)
}
