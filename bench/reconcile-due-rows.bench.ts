import { describeStore } from "../integration-tests/support/store-under-test"
import { countDue, insertOpenRows, makeDue } from "./support/ledger-rows"
import { postgresVersion } from "./support/postgres-version"
import { ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"
import { runTick, WITHOUT_SCHEDULE, type Tick } from "./support/run-tick"

const ROWS = Number(process.env["BENCH_ROWS"] ?? 10_000)
const WARM_UP_ROWS = 100

jest.setTimeout(30 * 60_000)

describeStore(
  "the schedule, with many rows due",
  (store) => {
    it(`${ROWS} due rows`, async () => {
      await insertOpenRows(store, ROWS)
      await makeDue(store, WARM_UP_ROWS)
      await runTick(store)

      await makeDue(store, ROWS)
      const ticks: Tick[] = []
      while ((await countDue(store)) > 0) {
        ticks.push(await runTick(store))
      }
      const sum = (of: (tick: Tick) => number): number => ticks.reduce((total, tick) => total + of(tick), 0)
      const rows = sum((tick) => tick.rows)
      const seconds = sum(({ ms }) => ms) / 1000
      const calls = sum(({ traffic }) => traffic.calls)
      writeReport("reconcile-due-rows", {
        postgres: await postgresVersion(store.knex),
        table: [
          ["what", "measured"],
          ["due rows, all settled", rows],
          ["ticks of the schedule that took", ticks.length],
          ["seconds, all ticks", round(seconds)],
          ["rows per second", Math.round(rows / seconds)],
          [
            "database statements per 100 rows",
            Math.round((sum(({ statements }) => statements) / rows) * 100),
          ],
          ["gateway calls per row", ratio(calls, rows)],
          ["gateway calls in flight, at most", Math.max(...ticks.map(({ traffic }) => traffic.mostInFlight))],
          [
            "milliseconds the gateway took for an answer",
            round(sum(({ traffic }) => traffic.answerMs) / calls),
          ],
        ],
      })
      expect(rows).toBe(ROWS)
    })
  },
  WITHOUT_SCHEDULE
)
