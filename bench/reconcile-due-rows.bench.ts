import { createAtGateway, supersededRow } from "../integration-tests/support/gateway-requests"
import { inParallel } from "../integration-tests/support/in-parallel"
import { describeStore, type StoreUnderTest } from "../integration-tests/support/store-under-test"
import { round, writeReport } from "./report"

const ROWS = Number(process.env["BENCH_ROWS"] ?? 10_000)
const WARM_UP_ROWS = 100
/** Of an age at which a check is made once a day, so that none is due again while it is measured. */
const AGE_MS = 3 * 24 * 60 * 60_000
const ROWS_PER_INSERT = 500

jest.setTimeout(30 * 60_000)

describeStore(
  "the schedule, with many rows due",
  (store) => {
    it(`${ROWS} due rows`, async () => {
      await insertOpenRows(store, ROWS)
      await makeDue(store, WARM_UP_ROWS)
      await store.runSchedule()

      await makeDue(store, ROWS)
      let statements = 0
      const count = (): void => {
        statements++
      }
      let ticks = 0
      let ms = 0
      for (; (await countDue(store)) > 0; ticks++) {
        store.knex.on("query", count)
        const startedAt = performance.now()
        await store.runSchedule()
        ms += performance.now() - startedAt
        store.knex.off("query", count)
      }
      await writeReport("reconcile-due-rows", store, [
        ["what", "measured"],
        ["due rows, all settled", ROWS],
        ["ticks of the schedule that took", ticks],
        ["seconds, all ticks", round(ms / 1000)],
        ["rows per second", Math.round((ROWS / ms) * 1000)],
        ["database statements per 100 rows", Math.round((statements / ROWS) * 100)],
      ])
    })
  },
  // It runs no schedule and no subscribers by itself.
  { WORKER_MODE: "server" }
)

/**
 * Payment requests that are open at the gateway and in the ledger, without the carts they would belong to: what is
 * checked of them is what most due rows are, and making a cart for each would take longer than the benchmark. They were
 * read before: the gateway's answer to a creation says PENDING, and its reads UNPAID.
 */
async function insertOpenRows(store: StoreUnderTest, count: number): Promise<void> {
  const created = await inParallel(count, 16, async () => await createAtGateway(null))
  const rows = created.map((request) => ({
    ...supersededRow(request),
    payment_link: request.payment_link,
    gateway_status: "UNPAID",
    created_at: new Date(Date.now() - AGE_MS),
  }))
  await store.knex.batchInsert("crypto_payment_request", rows, ROWS_PER_INSERT)
  await store.knex.raw("ANALYZE crypto_payment_request")
}

/** Makes as many of these rows due as asked. */
async function makeDue({ knex }: StoreUnderTest, count: number): Promise<void> {
  const some = knex("crypto_payment_request").orderBy("id").limit(count).select("id")
  await knex("crypto_payment_request")
    .whereIn("id", some)
    .update({ next_check_at: knex.raw("now() - interval '1 minute'") })
}

async function countDue({ knex }: StoreUnderTest): Promise<number> {
  return (await knex("crypto_payment_request").where("next_check_at", "<=", knex.fn.now()).select("id"))
    .length
}
