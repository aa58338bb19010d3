import type { Client } from "pg"

/** Of one payment in five. */
export const WHOLESALE_EMAIL = "orders@wholesale.test"

/** Of the paid payment 124: `'ref' || md5('r124')`. */
export const REFERENCE = "ref566db5d44b9fc07c2f7b02e20f28d2e3"

const AMOUNT = "round((1 + (i * 7919 % 100000) / 100.0)::numeric, 2)"
const IS_PAID = "i % 3 <> 0"
const EMAIL = `CASE WHEN i % 5 = 0 THEN '${WHOLESALE_EMAIL}' ELSE 'Guest' || i || '@example.test' END`

/**
 * Fills a migrated database with payment requests of two years, two of three paid, and the carts, customers and orders
 * they belong to. What nobody reads here, such as line items, is left out, and with it core's foreign keys.
 */
export async function insertTwoYears(client: Client, rows: number): Promise<void> {
  await client.query("SET session_replication_role = replica")
  const series = `generate_series(1, ${String(rows)}) i`
  const id = (prefix: string): string => `'${prefix}_' || lpad(i::text, 10, '0')`
  const whenPaid = (value: string): string => `CASE WHEN ${IS_PAID} THEN ${value} END`
  await client.query(`
    INSERT INTO crypto_payment_request (
      id, provider_id, gateway_account, gateway_origin, payment_request_id, payment_link, session_id, session_ids,
      payment_collection_id, cart_id, order_id, amount, currency_code, state, gateway_status, gateway_amount,
      gateway_currency_symbol, payment_currency, payment_amount, receiving_amount, fee_amount, fee_paid_by, ref_id,
      paid_at, captured_at, settled_at, attention_reason, attention_since, last_checked_at, created_at)
    SELECT ${id("cpreq")}, 'pp_crypto_default', 'https://gateway.example', 'https://gateway.example', md5(i::text),
      'https://pay.example/' || i, 'payses_' || md5('s' || i), ARRAY['payses_' || md5('s' || i)], ${id("pay_col")}, ${id("cart")},
      ${whenPaid(id("order"))}, ${AMOUNT}::text, CASE WHEN i % 4 = 0 THEN 'aed' ELSE 'usd' END,
      CASE WHEN ${IS_PAID} THEN 'captured' WHEN i % 30 = 0 THEN 'open' ELSE 'closed' END,
      CASE WHEN ${IS_PAID} THEN 'PAID' ELSE 'UNPAID' END, ${whenPaid(`round(${AMOUNT}, 14)::text`)},
      CASE WHEN i % 4 = 0 THEN 'AED' ELSE 'USD' END, ${whenPaid("(ARRAY['BTC', 'ETH', 'USDT', 'TRX'])[1 + i / 3 % 4]")},
      ${whenPaid("'0.00120000000000'")}, ${whenPaid(`round(${AMOUNT} * 0.99, 14)::text`)},
      ${whenPaid(`round(${AMOUNT} * 0.01, 14)::text`)},
      ${whenPaid("CASE WHEN i % 2 = 0 THEN 'MERCHANT' ELSE 'BUYER' END")}, ${whenPaid("'ref' || md5('r' || i)")},
      ${whenPaid("now() - i * interval '10 minutes'")}, ${whenPaid("now()")}, ${whenPaid("now()")},
      CASE WHEN i % 500 = 0 THEN 'orphan_paid' END, CASE WHEN i % 500 = 0 THEN now() - i * interval '1 minute' END,
      now() - i * interval '1 second', now() - i * interval '10 minutes'
    FROM ${series}`)
  await client.query(`
    INSERT INTO crypto_payment_activity (id, request_id, type, created_at)
    SELECT 'cpact_' || i || '_' || n, ${id("cpreq")}, 'checked', now() FROM ${series}, generate_series(1, 5) n`)
  await client.query(`
    INSERT INTO crypto_payment_refund (id, request_id, amount, reference, reference_digest, state)
    SELECT 'cpref_' || i, ${id("cpreq")}, '1.00', 'tx-' || i, 'tx-' || i, 'applied' FROM ${series} WHERE ${IS_PAID} AND i % 50 = 0`)
  await client.query(`
    INSERT INTO cart (id, email, currency_code, customer_id)
    SELECT ${id("cart")}, ${EMAIL}, 'usd', 'cus_' || (i % 20000) FROM ${series}`)
  await client.query(`
    INSERT INTO customer (id, email, has_account)
    SELECT 'cus_' || i, 'member' || i || '@example.test', true FROM generate_series(1, 20000) i`)
  await client.query(`
    INSERT INTO "order" (id, email, currency_code, display_id, status, version, is_draft_order)
    SELECT ${id("order")}, ${EMAIL}, 'usd', i + 100000, 'pending', 1, false
      FROM ${series} WHERE ${IS_PAID}`)
  await client.query(`
    INSERT INTO order_cart (id, order_id, cart_id)
    SELECT 'ordercart_' || i, ${id("order")}, ${id("cart")} FROM ${series} WHERE ${IS_PAID}`)
  await client.query(`
    INSERT INTO order_payment_collection (id, order_id, payment_collection_id)
    SELECT 'ordpay_' || i, ${id("order")}, ${id("pay_col")} FROM ${series} WHERE ${IS_PAID}`)
  await client.query("SET session_replication_role = DEFAULT")
  await client.query("VACUUM ANALYZE")
}
