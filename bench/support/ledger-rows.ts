import { createAtGateway, supersededRow } from "../../integration-tests/support/gateway-requests"
import { inParallel } from "../../integration-tests/support/in-parallel"
import type { StoreUnderTest } from "../../integration-tests/support/store-under-test"

const AMOUNT = "20.01"
/** Of an age at which a check is made once a day, so that none is due again while it is measured. */
const AGE_MS = 3 * 24 * 60 * 60_000
/** They were read before: the gateway's answer to a creation says PENDING, and its reads UNPAID. */
const READ_STATUS = "UNPAID"
const AT_ONCE = 16
const ROWS_PER_INSERT = 500

/**
 * Payment requests that are open at the gateway and in the ledger, without the carts they would belong to: what is
 * checked of them is what most due rows are, and making a cart for each would take longer than the benchmark.
 *
 * @returns the gateway's ids
 */
export async function insertOpenRows(store: StoreUnderTest, count: number): Promise<string[]> {
  const created = await inParallel(count, AT_ONCE, async () => await createAtGateway(null))
  const rows = created.map((request) => ({
    ...supersededRow(request),
    payment_link: request.payment_link,
    gateway_status: READ_STATUS,
    created_at: new Date(Date.now() - AGE_MS),
  }))
  for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) {
    await store.knex("crypto_payment_request").insert(rows.slice(i, i + ROWS_PER_INSERT))
  }
  await store.knex.raw("ANALYZE crypto_payment_request")
  return created.map(({ payment_request_id }) => payment_request_id)
}

/** Settled long ago, set-based: nothing reads them at the gateway any more. @returns the gateway's ids of the first thousand */
export async function insertSettledRows(store: StoreUnderTest, count: number): Promise<string[]> {
  await store.knex.raw(
    `INSERT INTO crypto_payment_request
       (id, provider_id, gateway_origin, payment_request_id, session_id, session_ids, payment_collection_id,
        cart_id, amount, currency_code, state, gateway_status, paid_at, captured_at, settled_at, created_at)
     SELECT 'cpreq_old' || n, 'pp_crypto_default', :origin, 'old' || n, 'payses_old' || n, ARRAY['payses_old' || n],
            'pay_col_old' || n, 'cart_old' || n, :amount, 'usd', 'captured', 'PAID', at, at, at, at
       FROM generate_series(1, (:count)::int) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) AS moment`,
    { origin: new URL(store.gatewayBaseUrl).origin, amount: AMOUNT, count }
  )
  await store.knex.raw("VACUUM ANALYZE crypto_payment_request")
  return Array.from({ length: Math.min(count, 1000) }, (_, index) => `old${index + 1}`)
}

/** Makes the rows due that `insertOpenRows` made, oldest first, as many as asked. */
export async function makeDue(store: StoreUnderTest, count: number): Promise<void> {
  await store.knex.raw(
    `UPDATE crypto_payment_request SET next_check_at = now() - interval '1 minute'
      WHERE id IN (SELECT id FROM crypto_payment_request WHERE state = 'superseded' ORDER BY id LIMIT ?)`,
    [count]
  )
}

export async function countDue(store: StoreUnderTest): Promise<number> {
  const { rows } = await store.knex.raw<{ rows: [{ due: number }] }>(
    "SELECT count(*)::int AS due FROM crypto_payment_request WHERE next_check_at <= now()"
  )
  return rows[0].due
}
