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
      const figures = {
        dueRows: ROWS,
        settledRows: rows,
        ticks: ticks.length,
        rowsInTheFirstTick: ticks[0]?.rows ?? 0,
        seconds: round(seconds),
        rowsPerSecond: Math.round(rows / seconds),
        statementsPer100Rows: Math.round((sum(({ statements }) => statements) / rows) * 100),
        gatewayCallsPerRow: ratio(calls, rows),
        gatewayCallsInFlight: Math.max(...ticks.map(({ traffic }) => traffic.mostInFlight)),
        gatewayAnswerMs: round(sum(({ traffic }) => traffic.answerMs) / calls),
      }
      writeReport("reconcile-due-rows", {
        postgres: await postgresVersion(store.knex),
        table: [
          ["what", "measured"],
          ["due rows, all settled", figures.settledRows],
          ["ticks of the schedule that took", figures.ticks],
          ["seconds, all ticks", figures.seconds],
          ["rows per second", figures.rowsPerSecond],
          ["database statements per 100 rows", figures.statementsPer100Rows],
          ["gateway calls per row", figures.gatewayCallsPerRow],
          ["gateway calls in flight, at most", figures.gatewayCallsInFlight],
          ["milliseconds the gateway took for an answer", figures.gatewayAnswerMs],
        ],
        figures,
      })
      expect(rows).toBe(ROWS)
    })
  },
  WITHOUT_SCHEDULE
)
