import type { StoreUnderTest } from "./store-under-test"

/** Payments that were settled long ago, of which one in a hundred is checked again tomorrow. */
export async function fillHistory(store: StoreUnderTest, count: number): Promise<void> {
  store.leavesDamage("the history has no captures")
  await store.knex.raw(
    `INSERT INTO crypto_payment_request
       (id, provider_id, gateway_origin, payment_request_id, session_id, session_ids, payment_collection_id,
        cart_id, amount, currency_code, state, paid_at, settled_at, order_announced_at, next_check_at)
     SELECT 'cpreq_old' || n, 'pp_crypto_default', :origin, 'old' || n, 'payses_old' || n, ARRAY['payses_old' || n],
            'pay_col_old' || n, 'cart_old' || n, '20.01', 'usd', 'captured',
            CASE WHEN n % 100 <> 0 THEN now() END,
            CASE WHEN n % 100 <> 0 THEN now() END,
            now(),
            CASE WHEN n % 100 = 0 THEN now() + interval '1 day' END
       FROM generate_series(1, (:count)::int) AS n`,
    { origin: new URL(String(process.env["CRYPTO_PAYMENTS_BASE_URL"])).origin, count }
  )
  await store.knex.raw("ANALYZE crypto_payment_request")
}

/** Settled payments with all that core keeps of them, a second apart: their orders are placed and have booked them. */
export async function fillOrders(store: StoreUnderTest, count: number): Promise<void> {
  await store.knex.raw(
    `INSERT INTO crypto_payment_request
       (id, provider_id, gateway_origin, payment_request_id, session_id, session_ids, paid_session_id,
        payment_collection_id, cart_id, order_id, amount, currency_code, gateway_amount, gateway_currency_symbol, state, paid_at, captured_at, settled_at, order_announced_at)
     SELECT 'cpreq_ord' || n, 'pp_crypto_default', 'https://gateway.example', 'ord' || n, 'payses_ord' || n,
            ARRAY['payses_ord' || n], 'payses_ord' || n, 'pay_col_ord' || n, 'cart_ord' || n, 'order_ord' || n, '20.01',
            'usd', '20.01', 'USD', 'captured', t, t, t, t
       FROM (SELECT n, now() - n * interval '1 second' AS t FROM generate_series(1, ?::int) AS n) AS made`,
    [count]
  )
  await insertFrom(store, "SELECT * FROM crypto_payment_request WHERE payment_request_id LIKE 'ord%'", [
    `INSERT INTO "order" (id, currency_code, status) SELECT order_id, 'usd', 'pending' FROM made`,
    `INSERT INTO order_cart (id, order_id, cart_id) SELECT 'ordcart_' || id, order_id, cart_id FROM made`,
    `INSERT INTO order_payment_collection (id, order_id, payment_collection_id)
     SELECT 'ordpay_' || id, order_id, payment_collection_id FROM made`,
    `INSERT INTO payment_collection (id, currency_code, amount, raw_amount, captured_amount, raw_captured_amount, refunded_amount)
     SELECT payment_collection_id, 'usd', 20.01, '{"value":"20.01"}', 20.01, '{"value":"20.01"}', 0 FROM made`,
    `INSERT INTO payment (id, amount, raw_amount, currency_code, provider_id, payment_session_id, payment_collection_id)
     SELECT 'pay_' || id, 20.01, '{"value":"20.01"}', 'usd', provider_id, session_id, payment_collection_id FROM made`,
    `INSERT INTO capture (id, amount, raw_amount, payment_id)
     SELECT 'capt_' || id, 20.01, '{"value":"20.01"}', 'pay_' || id FROM made`,
    `INSERT INTO order_transaction (id, order_id, version, amount, raw_amount, currency_code, reference, reference_id)
     SELECT 'ordtrx_' || id, order_id, 1, 20.01, '{"value":"20.01"}', 'usd', 'capture', 'capt_' || id FROM made`,
    `INSERT INTO order_summary (id, order_id, version, totals)
     SELECT 'ordsum_' || id, order_id, 1, '{"transaction_total": 20.01, "paid_total": 20.01, "current_order_total": 20.01}' FROM made`,
  ])
}

/** Orders of the newest open links, which were placed after the links' last checks. */
export async function placeOrdersOfOpenLinks(store: StoreUnderTest, count: number): Promise<void> {
  const made = "SELECT 'open' || n AS name FROM generate_series(1, ?::int) AS n"
  const statements = [
    `INSERT INTO "order" (id, currency_code, status, version) SELECT 'order_' || name, 'usd', 'pending', 1 FROM made`,
    `INSERT INTO order_cart (id, order_id, cart_id) SELECT 'ordcart_' || name, 'order_' || name, 'cart_' || name FROM made`,
    `UPDATE crypto_payment_request r SET last_checked_at = now() - interval '2 days' FROM made WHERE r.id = 'cpreq_' || made.name`,
  ]
  await insertFrom(store, made, statements, count)
}

/** Rows that are made from `made`, without what core's foreign keys ask for and no sweep reads. */
async function insertFrom({ knex }: StoreUnderTest, made: string, statements: string[], ...counts: number[]) {
  await knex.transaction(async (trx) => {
    await trx.raw("SET LOCAL session_replication_role = replica")
    for (const statement of statements) {
      await trx.raw(`WITH made AS (${made}) ${statement}`, counts)
    }
  })
  await knex.raw("ANALYZE")
}

/** Refunds of the history that were registered and booked long ago. */
export async function fillRefunds(store: StoreUnderTest): Promise<void> {
  await store.knex.raw(
    `INSERT INTO crypto_payment_refund (id, request_id, amount, reference, reference_digest, state, applied_at, created_at, updated_at)
     SELECT 'cpref_' || id, id, '20.01', id, id, 'applied', now(), now() - interval '1 day', now() - interval '1 day'
       FROM crypto_payment_request WHERE payment_request_id LIKE 'old%7'`
  )
}

/** Links that nobody has paid yet, a second apart. */
export async function fillOpenLinks(store: StoreUnderTest, count: number): Promise<void> {
  await store.knex.raw(
    `INSERT INTO crypto_payment_request
       (id, provider_id, gateway_origin, payment_request_id, session_id, session_ids, payment_collection_id,
        cart_id, amount, currency_code, state, created_at, next_check_at)
     SELECT 'cpreq_open' || n, 'pp_crypto_default', 'https://gateway.example', 'open' || n,
            'payses_open' || n, ARRAY['payses_open' || n], 'pay_col_open' || n, 'cart_open' || n, '20.01', 'usd', 'open',
            now() - n * interval '1 second', now() + interval '1 day'
       FROM generate_series(1, ?::int) AS n`,
    [count]
  )
}
