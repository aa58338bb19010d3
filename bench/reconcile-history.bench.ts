import { describeStore } from "../integration-tests/support/store-under-test"
import { insertOpenRows, insertSettledRows, makeDue } from "./support/ledger-rows"
import { postgresVersion } from "./support/postgres-version"
import { median, ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"
import { runTick, WITHOUT_SCHEDULE, type Tick } from "./support/run-tick"

const ROWS = 500
const ROUNDS = 5
const HISTORY = Number(process.env["BENCH_HISTORY"] ?? 1_000_000)

jest.setTimeout(30 * 60_000)

describeStore(
  "the schedule, with a long history",
  (store) => {
    const ticks = async (): Promise<Tick[]> => {
      const done: Tick[] = []
      for (let i = 0; i < ROUNDS; i++) {
        await makeDue(store, ROWS)
        done.push(await runTick(store))
      }
      return done
    }
    const summary = (of: Tick[]) => ({
      ticksMs: of.map(({ ms }) => round(ms)),
      medianMs: round(median(of.map(({ ms }) => ms))),
      statementsPerTick: median(of.map(({ statements }) => statements)),
    })

    it(`${ROWS} due rows without and with ${HISTORY} settled ones`, async () => {
      store.leavesDamage("the history has no captures")
      await insertOpenRows(store, ROWS)
      await ticks()
      const without = await ticks()
      await insertSettledRows(store, HISTORY)
      const withHistory = await ticks()

      const [before, after] = [summary(without), summary(withHistory)]
      writeReport("reconcile-history", {
        postgres: await postgresVersion(store.knex),
        table: [
          ["settled rows next to them", `milliseconds for ${ROWS} due rows`, "statements", "ratio"],
          [0, before.medianMs, before.statementsPerTick, 1],
          [HISTORY, after.medianMs, after.statementsPerTick, ratio(after.medianMs, before.medianMs)],
        ],
        figures: { dueRows: ROWS, rounds: ROUNDS, history: HISTORY, without: before, withHistory: after },
      })
      expect([...without, ...withHistory].map(({ rows }) => rows)).toEqual(Array(2 * ROUNDS).fill(ROWS))
    })
  },
  WITHOUT_SCHEDULE
)
