import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, loadavg, platform, release, totalmem } from "node:os"
import path from "node:path"
import { readCommit } from "../../integration-tests/support/commit.cjs"
import { round } from "./quantiles"

const RESULTS = path.resolve(__dirname, "../results")

/** What a reader sees: the first row is the head. `docs/performance.md` shows it as it is here. */
type Table = readonly (readonly (string | number)[])[]

interface Measured {
  /** Null when no database took part. */
  postgres: string | null
  table: Table
}

/** What `bench/results` keeps of a benchmark. */
interface Report extends Pick<Measured, "table"> {
  name: string
  date: string
  /** What was measured: the commit's short name, with "+" when the tree held more than that. */
  commit: string
  machine: ReturnType<typeof describeMachine>
}

const describeMachine = (postgres: string | null) => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  node: process.version,
  postgres,
  /** Of the last one, five and fifteen minutes, the benchmark included: well above the cores, others were at work. */
  load: loadavg().map(round),
})

/** What was measured, with where and when: figures without their machine say nothing. */
export function writeReport(name: string, { postgres, table }: Measured): void {
  const machine = describeMachine(postgres)
  const date = new Date().toISOString()
  const report: Report = { name, date, commit: readCommit(), machine, table }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${name}\n${table.map((row) => row.join(" | ")).join("\n")}\n`)
}
