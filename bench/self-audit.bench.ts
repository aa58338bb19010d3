import { fillOrders } from "../integration-tests/support/history"
import { describeStore } from "../integration-tests/support/store-under-test"
import type CryptoPaymentsModuleService from "../src/modules/crypto-payments/service"
import { median, ratio, round, writeReport } from "./report"

const PAYMENTS = Number(process.env["BENCH_AUDIT"] ?? 100_000)
const ROUNDS = 5
/** As docs/performance.md says: times the least read, without the second that the audit waits before its second look. */
const MOST_RATIO = 40
const WAIT_MS = 1000
/** The least that any audit of payments reads: each with what core keeps of it. */
const ONE_READ = `
  SELECT count(*) FROM crypto_payment_request r
    JOIN payment p ON p.payment_session_id = r.paid_session_id
    JOIN capture cap ON cap.payment_id = p.id
    JOIN order_transaction t ON t.reference_id = cap.id
    JOIN "order" o ON o.id = t.order_id`

jest.setTimeout(30 * 60_000)

describeStore(
  "the self-audit",
  (store) => {
    async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
      const begun = performance.now()
      await work()
      return performance.now() - begun
    }
    async function rounds(work: () => Promise<unknown>): Promise<number> {
      const took: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        took.push(await millisecondsOf(work))
      }
      return median(took)
    }

    it(`${PAYMENTS} payments`, async () => {
      store.leavesDamage("the payments were never at the gateway")
      await fillOrders(store, PAYMENTS)
      const { audits } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const report = await audits.run()
      expect(report).toMatchObject({ findings: [], incomplete: [], checked: { payments: PAYMENTS } })

      const oneRead = await rounds(async () => {
        await store.knex.raw(ONE_READ)
      })
      const audit = await rounds(async () => await audits.run())
      await store.knex("order_transaction").whereRaw("id LIKE '%777'").delete()
      const { found } = await audits.run()
      const withFindings = await rounds(async () => await audits.run())
      await writeReport("self-audit", store, [
        [`${PAYMENTS} payments`, "milliseconds", "ratio"],
        ["one read of each with its capture, its booking and its order", round(oneRead), 1],
        ["the audit, nothing found", round(audit), ratio(audit, oneRead)],
        [`the audit, ${found} findings`, round(withFindings), ratio(withFindings, oneRead)],
      ])
      expect(Math.max(audit, withFindings - WAIT_MS)).toBeLessThan(MOST_RATIO * oneRead)
    })
  },
  // It runs no schedule and no subscribers by itself.
  { WORKER_MODE: "server" }
)
