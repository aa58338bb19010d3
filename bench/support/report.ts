import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, platform, release, totalmem } from "node:os"
import path from "node:path"

const RESULTS = path.resolve(__dirname, "../results")

/** What was measured, with where and when: figures without their machine say nothing. */
export function writeReport(name: string, figures: Record<string, unknown>): void {
  const report = {
    name,
    date: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()}`,
      node: process.version,
    },
    figures,
  }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${name}\n${JSON.stringify(figures, null, 2)}\n`)
}
