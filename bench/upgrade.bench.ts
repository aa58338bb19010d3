import { inEmptySchema, LEDGER_MIGRATIONS, migrate } from "../integration-tests/support/ledger-migrations"
import { describeStore } from "../integration-tests/support/store-under-test"
import { postgresVersion } from "./support/postgres-version"
import { ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"
import { WITHOUT_SCHEDULE } from "./support/run-tick"

const PAYMENTS = Number(process.env["BENCH_UPGRADE"] ?? 1_000_000)
/** A store is not in use for the longest of them for more than this. */
const LIMIT_MS = 120_000
const FIRST_OF_THIS_EDITION = "Migration20261122043000.js"
const BEFORE = LEDGER_MIGRATIONS.slice(0, LEDGER_MIGRATIONS.indexOf(FIRST_OF_THIS_EDITION))

/** Each paid and settled, but one of twenty that is open; every thousandth was also recorded under a former address. */
const FILL = `
  INSERT INTO crypto_payment_request
    (id, provider_id, gateway_origin, payment_request_id, payment_link, session_id, session_ids, payment_collection_id,
     cart_id, order_id, amount, currency_code, state, gateway_status, gateway_amount, gateway_currency_symbol, paid_at,
     captured_at, settled_at, next_check_at, created_at)
  SELECT 'cpreq_' || n || suffix, 'pp_crypto_default', 'https://gateway' || suffix || '.example', 'request-' || n,
         'https://pay.example/' || n, 'payses_' || n, ARRAY['payses_' || n], 'pay_col_' || n, 'cart_' || n,
         CASE WHEN paid THEN 'order_' || n END, '20.01', 'usd', CASE WHEN paid THEN 'captured' ELSE 'open' END,
         CASE WHEN paid THEN 'PAID' ELSE 'UNPAID' END, '20.01000000000000', 'USD', CASE WHEN paid THEN at END,
         CASE WHEN paid THEN at END, CASE WHEN paid THEN at END, CASE WHEN paid THEN NULL ELSE at END, at
    FROM (SELECT n, suffix, n % 20 > 0 AS paid, timestamptz '2026-01-01' + n * interval '10 seconds' AS at
            FROM generate_series(1, ?::int) n
            CROSS JOIN unnest(CASE WHEN n % 1000 = 1 THEN ARRAY['', '-former'] ELSE ARRAY[''] END) suffix) rows`

const TIMELINE = `
  INSERT INTO crypto_payment_activity (id, request_id, type, detail, created_at)
  SELECT r.id || type, r.id, type, '{}', r.created_at
    FROM crypto_payment_request r CROSS JOIN unnest(ARRAY['created', 'checked', 'paid', 'settled']) type`

jest.setTimeout(60 * 60_000)

describeStore(
  "the upgrade from the first edition",
  (store) => {
    it(`${PAYMENTS} payments`, async () => {
      const postgres = await postgresVersion(store.knex)
      await inEmptySchema(store, async (trx) => {
        const took = async (work: () => Promise<unknown>): Promise<number> => {
          const begun = performance.now()
          await work()
          return performance.now() - begun
        }
        await migrate(trx, BEFORE)
        await trx.raw(FILL, [PAYMENTS])
        await trx.raw(TIMELINE)
        await trx.raw("ANALYZE crypto_payment_request")
        await trx.raw("ANALYZE crypto_payment_activity")

        const copy = await took(async () => {
          for (const table of ["crypto_payment_request", "crypto_payment_activity"]) {
            await trx.raw(`CREATE TABLE copied_${table} (LIKE ${table} INCLUDING ALL)`)
            await trx.raw(`INSERT INTO copied_${table} SELECT * FROM ${table}`)
            await trx.raw(`DROP TABLE copied_${table}`)
          }
        })
        const each: Record<string, number> = {}
        for (const file of LEDGER_MIGRATIONS.slice(BEFORE.length)) {
          each[file] = Math.round(await took(async () => await migrate(trx, [file])))
        }
        const all = Object.values(each).reduce((sum, milliseconds) => sum + milliseconds, 0)
        const longest = Math.max(...Object.values(each))
        writeReport("upgrade", {
          postgres,
          table: [
            [`${PAYMENTS} payments, four timeline entries each`, "milliseconds", "ratio"],
            ["one copy of both tables with their indexes", round(copy), 1],
            ["all migrations since the first edition", all, ratio(all, copy)],
            ["the longest of them", longest, ratio(longest, copy)],
          ],
          figures: { payments: PAYMENTS, copy, all, each },
        })
        expect(longest).toBeLessThan(LIMIT_MS)
      })
    })
  },
  WITHOUT_SCHEDULE
)
