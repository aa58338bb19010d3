import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, loadavg, platform, release, totalmem } from "node:os"
import path from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { readCommit } from "../integration-tests/support/commit.cjs"

const RESULTS = path.resolve(__dirname, "results")

/**
 * Stores what was measured, with where and when: figures without their machine say nothing.
 *
 * @param table what a reader sees: the first row is the head. `docs/performance.md` shows it
 */
export async function writeReport(
  name: string,
  { knex }: { knex: Knex },
  table: readonly (readonly (string | number)[])[]
): Promise<void> {
  const { rows } = await knex.raw<{ rows: [{ server_version: string }] }>("SHOW server_version")
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    postgres: rows[0].server_version,
    /** Of the last one, five and fifteen minutes, the benchmark included: well above the cores, others were at work. */
    load: loadavg().map(round),
  }
  // The commit has "+" when the tree held more than that.
  const report = { name, date: new Date().toISOString(), commit: readCommit(), machine, table }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${name}\n${table.map((row) => row.join(" | ")).join("\n")}\n`)
}

/** The nearest-rank quantile, rounded to a tenth. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN)
}

export const ratio = (value: number, base: number): number => Math.round((value / base) * 100) / 100

/** To a tenth. */
export const round = (value: number): number => Math.round(value * 10) / 10
